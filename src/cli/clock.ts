import { Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, duration, print } from './control-options.ts';
import { spanInWords } from './in-words.ts';

type Clock = components['schemas']['Clock'];
type Advanced = components['schemas']['Advanced'];

interface AdvanceFlags extends ControlFlags {
  /** Wall milliseconds. */
  readonly maxWait?: number;
}

/** `xpk clock`: kit time, shown or moved forward. */
export function clockCommand(): Command {
  return new Command('clock')
    .description('Shows kit time, or moves it forward: tokens expire, rate windows pass, the users list catches up.')
    .addCommand(controlCommand('show').description('Shows kit time (also what xpk clock alone does).').action(show), { isDefault: true })
    .addCommand(
      controlCommand('advance')
        .description('Moves kit time forward, by a year at most. A reset takes it back.')
        .argument('<duration>', 'a number and a unit (ms, s, m, h, d), such as 1h30m')
        .addOption(
          new Option(
            '--max-wait <duration>',
            'wall time for the attempts of deliveries that are due on the way, 10m at most; 30s without it',
          ).argParser(duration('0ms', '10m')),
        )
        .action(advance),
    )
    .addHelpText('after', '\nExamples:\n  xpk clock\n  xpk clock advance 1h');
}

async function show(flags: ControlFlags): Promise<void> {
  print(flags, await clientOf(flags).get<Clock>('/clock'), inWords);
}

async function advance(by: string, { maxWait, ...flags }: AdvanceFlags): Promise<void> {
  const asked = { by, ...(maxWait !== undefined && { maxWaitMs: maxWait }) };
  print(flags, await clientOf(flags).post<Advanced>('/clock/advance', asked), (advanced) => inWords(advanced) + deliveriesOf(advanced));
}

function deliveriesOf({ attempts: { length: made }, pending, settled }: Advanced): string {
  const inTime = settled
    ? ''
    : '\nNot all of them at their moments: receivers took their time, and kit time went on without them. --max-wait gives them more.';
  if (made === 0 && pending === 0) return inTime;
  return `\n${made} ${made === 1 ? 'attempt' : 'attempts'} of deliveries on the way, ${pending} still pending${inTime}`;
}

function inWords({ now, offsetMs }: Clock): string {
  return `${now}, ${offsetMs === 0 ? 'as on the wall' : `${spanInWords(offsetMs)} ahead of the wall`}`;
}
