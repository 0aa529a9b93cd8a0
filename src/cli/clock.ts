import { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, print } from './control-options.ts';
import { spanInWords } from './in-words.ts';

type Clock = components['schemas']['Clock'];
type Advanced = components['schemas']['Advanced'];

/** `xpk clock`: kit time, shown or moved forward. */
export function clockCommand(): Command {
  return new Command('clock')
    .description('Shows kit time, or moves it forward: tokens expire, rate windows pass, the users list catches up.')
    .addCommand(controlCommand('show').description('Shows kit time (also what xpk clock alone does).').action(show), { isDefault: true })
    .addCommand(
      controlCommand('advance')
        .description('Moves kit time forward, by a year at most. A reset takes it back.')
        .argument('<duration>', 'a number and a unit (ms, s, m, h, d), such as 1h30m')
        .action(advance),
    )
    .addHelpText('after', '\nExamples:\n  xpk clock\n  xpk clock advance 1h');
}

async function show(flags: ControlFlags): Promise<void> {
  print(flags, await clientOf(flags).get<Clock>('/clock'), inWords);
}

async function advance(by: string, flags: ControlFlags): Promise<void> {
  print(flags, await clientOf(flags).post<Advanced>('/clock/advance', { by }), (advanced) => inWords(advanced) + deliveriesOf(advanced));
}

function deliveriesOf({ attempts: { length: made }, pending }: Advanced): string {
  if (made === 0 && pending === 0) return '';
  return `\n${made} ${made === 1 ? 'attempt' : 'attempts'} of deliveries on the way, ${pending} still pending`;
}

function inWords({ now, offsetMs }: Clock): string {
  return `${now}, ${offsetMs === 0 ? 'as on the wall' : `${spanInWords(offsetMs)} ahead of the wall`}`;
}
