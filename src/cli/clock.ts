import { Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, createClient, createControlCommand, createDurationParser, omitUndefined, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { formatDuration, formatPlural } from './format.ts';

type Schemas = components['schemas'];

interface AdvanceFlags extends ControlFlags {
  /** The maximum wait, in milliseconds of wall time. */
  readonly maxWait?: number;
}

export function createClockCommand(): Command {
  return new Command('clock')
    .description(
      'Shows kit time, or moves kit time forward, so that tokens expire, rate limit windows end, and the users list shows recent changes.',
    )
    .addCommand(createControlCommand('show').description('Shows kit time, like xpk clock without a subcommand.').action(showClock), {
      isDefault: true,
    })
    .addCommand(
      createControlCommand('advance')
        .description('Moves kit time forward by at most a year. xpk reset sets kit time back to wall time.')
        .argument('<duration>', 'a number and a unit (ms, s, m, h, d), such as 1h30m')
        .addOption(
          new Option(
            '--max-wait <duration>',
            'the maximum wall time to wait for delivery attempts that become due, at most 4m; default: 30s',
          ).argParser(createDurationParser('0ms', '4m')),
        )
        .action(advanceClock),
    )
    .addHelpText('afterAll', '\nExamples:\n  xpk clock\n  xpk clock show --json\n  xpk clock advance 1h');
}

async function showClock(flags: ControlFlags): Promise<void> {
  print(flags, await getResponseData(createClient(flags).GET('/_control/clock')), formatClock);
}

async function advanceClock(by: string, { maxWait: maxWaitMs, ...flags }: AdvanceFlags): Promise<void> {
  const body = { by, ...omitUndefined({ maxWaitMs }) };
  print(flags, await getResponseData(createClient(flags).POST('/_control/clock/advance', { body })), formatAdvanced);
}

function formatAdvanced(advanced: Schemas['Advanced']): string {
  const { attempts, pending, settled } = advanced;
  const lines = [formatClock(advanced)];
  if (attempts.length + pending > 0) lines.push(`${formatPlural(attempts.length, 'delivery attempt')} made, ${pending} still pending`);
  if (!settled)
    lines.push('Some attempts have not ended, because receivers did not respond within --max-wait. Allow more time with --max-wait.');
  return lines.join('\n');
}

function formatClock({ now, offsetMs }: Schemas['Clock']): string {
  return `${now}, ${offsetMs === 0 ? 'the same as wall time' : `${formatDuration(offsetMs)} ahead of wall time`}`;
}
