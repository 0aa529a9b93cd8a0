import { Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, pathOf, print, wholeNumber } from './control-options.ts';
import { columns } from './in-words.ts';

type Schemas = components['schemas'];
type Fault = Schemas['Fault'];
type Kind = Fault['fault'];

// A kind of the contract that is missing here does not compile.
const KINDS: Readonly<Record<Kind, true>> = { problem: true, latency: true, 'connection-reset': true, 'authorization-service-down': true };

interface AddFlags extends ControlFlags {
  fault: Kind;
  operation?: string;
  status?: number;
  latency?: number;
  times?: number;
  after?: number;
  undocumented?: boolean;
}

/** `xpk fault`: failures on purpose in a running kit. */
export function faultCommand(): Command {
  return new Command('fault')
    .description('Makes operations of a running kit fail on purpose.')
    .addCommand(
      controlCommand('add')
        .description('Adds a fault.')
        .addOption(new Option('--fault <kind>', 'what happens').choices(Object.keys(KINDS)).makeOptionMandatory())
        .option('--operation <id>', 'the operation that fails, such as getUser; every one without it')
        .addOption(new Option('--status <status>', 'of a problem: one that is documented for the operation').argParser(wholeNumber(400)))
        .option('--undocumented', 'a status that is not documented is meant')
        .addOption(new Option('--latency <ms>', 'of latency: wall milliseconds before the request goes on').argParser(wholeNumber(0)))
        .addOption(new Option('--times <count>', 'how many requests it hits; every one without it').argParser(wholeNumber(1)))
        .addOption(new Option('--after <count>', 'how many requests it lets pass first').argParser(wholeNumber(0)))
        .action(add),
    )
    .addCommand(controlCommand('list').description('Lists the faults in force.').action(list))
    .addCommand(
      controlCommand('clear').description('Removes all faults, or one.').argument('[id]', 'as xpk fault list shows it').action(clear),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  xpk fault add --fault problem --status 503 --operation getUser --times 2\n  xpk fault add --fault latency --latency 2000\n  xpk fault clear',
    );
}

async function add({ fault, operation, status, undocumented, latency: latencyMs, times, after, ...flags }: AddFlags): Promise<void> {
  const request = { fault, operation, status, undocumented, latencyMs, times, after };
  print(flags, await clientOf(flags).post<Fault>('/faults', request), (added) => rowOf(added).join('  '));
}

async function list(flags: ControlFlags): Promise<void> {
  print(flags, await clientOf(flags).get<Fault[]>('/faults'), (faults) =>
    faults.length === 0 ? 'There are no faults.' : columns(faults.map(rowOf)),
  );
}

async function clear(id: string | undefined, flags: ControlFlags): Promise<void> {
  await clientOf(flags).delete(id === undefined ? '/faults' : `/faults${pathOf(id)}`);
  print(flags, { cleared: id ?? 'all' }, () => (id === undefined ? 'There are no faults any more.' : `Removed ${id}.`));
}

function rowOf({ id, fault, operation, status, latencyMs, times, after = 0, hits }: Fault): string[] {
  const what = [fault, ...(status === undefined ? [] : [status]), ...(latencyMs === undefined ? [] : [`${latencyMs} ms`])].join(' ');
  const when = `${after > 0 ? `after ${after}, ` : ''}${times === undefined ? 'every time' : `${times} ${times === 1 ? 'time' : 'times'}`}`;
  return [id, operation ?? 'every operation', what, when, `hit ${hits} so far`];
}
