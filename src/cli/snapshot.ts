import { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, pathOf, print } from './control-options.ts';
import { columns, countsInWords } from './in-words.ts';
import { resetTo } from './reset.ts';

type Snapshot = components['schemas']['Snapshot'];

/** `xpk snapshot`: the whole state of a running kit, saved and loaded by name. */
export function snapshotCommand(): Command {
  const named = (name: string) =>
    controlCommand(name).argument('<name>', 'lower-case letters, digits and hyphens, such as before-checkout');
  return new Command('snapshot')
    .description('Saves the whole state of a running kit by name, and loads it.')
    .addCommand(named('save').description('Saves the state, in place of what had the name.').action(save))
    .addCommand(named('load').description('Restores the saved state, including kit time. Removes all faults.').action(resetTo))
    .addCommand(controlCommand('list').description('Lists the snapshots.').action(list))
    .addCommand(named('delete').description('Forgets a snapshot. The state stays as it is.').action(remove))
    .addHelpText(
      'after',
      '\nExamples:\n  xpk snapshot save before-checkout\n  xpk snapshot load before-checkout\n  xpk snapshot list --json',
    );
}

async function save(name: string, flags: ControlFlags): Promise<void> {
  const saved = await clientOf(flags).put<Snapshot>(`/snapshots${pathOf(name)}`);
  print(flags, saved, ({ world, entities }) => `Saved ${name}, of the world ${world}: ${countsInWords(entities)}.`);
}

async function list(flags: ControlFlags): Promise<void> {
  const row = ({ name, savedAt, world, entities }: Snapshot) => [name, savedAt, `${world}: ${countsInWords(entities)}`];
  print(flags, await clientOf(flags).get<Snapshot[]>('/snapshots'), (snapshots) =>
    snapshots.length === 0 ? 'There are no snapshots. Save one with: xpk snapshot save NAME' : columns(snapshots.map(row)),
  );
}

async function remove(name: string, flags: ControlFlags): Promise<void> {
  await clientOf(flags).delete(`/snapshots${pathOf(name)}`);
  print(flags, { deleted: name }, () => `Deleted the snapshot ${name}.`);
}
