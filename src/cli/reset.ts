import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, print } from './control-options.ts';
import { countsInWords } from './in-words.ts';

/** `xpk reset`: back to the world of the start, to an empty one, or to a snapshot. */
export function resetCommand(): Command {
  return controlCommand('reset')
    .description(
      'Resets a running kit to the world it was started with, to an empty world, or to a snapshot. Removes all faults; a reset to the start restores the faults of its scenario.',
    )
    .argument('[to]', 'seed, empty, or the name of a snapshot', 'seed')
    .addHelpText('after', '\nExamples:\n  xpk reset\n  xpk reset empty\n  xpk reset before-checkout')
    .action((to: string, flags: ControlFlags) => resetTo(to, flags));
}

/** Also what `xpk snapshot load` does. */
export async function resetTo(to: string, flags: ControlFlags): Promise<void> {
  const loaded = await clientOf(flags).post<components['schemas']['Loaded']>('/reset', { to });
  print(flags, loaded, ({ world, entities }) => `The world is ${world} again: ${countsInWords(entities)}.`);
}
