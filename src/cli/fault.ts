import { Command, InvalidArgumentError, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, pathOf, print, wholeNumber } from './control-options.ts';
import { columns } from './in-words.ts';
import { header, textOf } from './trigger/raw.ts';

type Schemas = components['schemas'];
type Fault = Schemas['Fault'];
type Kind = Fault['fault'];

// A kind of the contract that is missing here does not compile.
const KINDS: Readonly<Record<Kind, true>> = {
  problem: true,
  response: true,
  latency: true,
  'connection-reset': true,
  'authorization-service-down': true,
};

interface AddFlags extends ControlFlags {
  fault: Kind;
  operation?: string;
  match?: Record<string, string>;
  status?: number;
  header?: Record<string, string>;
  body?: string;
  latency?: { latencyMs: number; latencyMaxMs?: number };
  probability?: number;
  seed?: number;
  times?: number;
  after?: number;
  undocumented?: boolean;
}

const ADD_HELP = `
Kinds:
  problem                     a problem with the status of --status
  response                    a response with --status, --header and --body
  latency                     the request waits for --latency, then goes on
  connection-reset            the connection ends without a response. With --times 1 a page in a browser does not
                              notice: a browser that reused a connection repeats the request on a new one
  authorization-service-down  a 503, as if the authorization service could not be reached

Faults are considered in the order in which they were added. The first one that hits gives the response, and faults behind it are not counted as hit.
Latencies add up.

Examples:
  xpk fault add --fault problem --status 503 --operation getUser --times 2
  xpk fault add --fault problem --status 404 --match assignmentId=$ID
  xpk fault add --fault response --status 502 --undocumented --header content-type:text/html --body '<h1>Bad gateway</h1>'
  xpk fault add --fault latency --latency 200-2000 --probability 0.2 --seed 1`;

/** `xpk fault`: failures on purpose in a running kit. */
export function faultCommand(): Command {
  return new Command('fault')
    .description('Makes operations of a running kit fail on purpose.')
    .addCommand(
      controlCommand('add')
        .description('Adds a fault.')
        .addOption(new Option('--fault <kind>', 'what happens').choices(Object.keys(KINDS)).makeOptionMandatory())
        .option('--operation <id>', 'the operation that fails, such as getUser; by default every operation that documents the status')
        .addOption(new Option('--match <name=value>', 'only requests with this path or query parameter; repeatable').argParser(parameter))
        .addOption(new Option('--status <status>', 'the status of a problem or response').argParser(wholeNumber(200, 599)))
        .option('--undocumented', 'allow a status that is not documented for the operation')
        .addOption(new Option('--header <name:value>', 'a header of a response; repeatable').argParser(header))
        .option('--body <text>', 'the body of a response, JSON or any other text; @file reads it from a file')
        .addOption(new Option('--latency <ms>', 'wall milliseconds, or a range such as 200-2000').argParser(latency))
        .addOption(new Option('--probability <number>', 'the probability of a hit, from 0 to 1').argParser(probability))
        .addOption(
          new Option('--seed <number>', 'makes --probability and a range of --latency repeatable').argParser(wholeNumber(0, 2 ** 32 - 1)),
        )
        .addOption(new Option('--times <count>', 'how many requests it hits; no limit by default').argParser(wholeNumber(1)))
        .addOption(new Option('--after <count>', 'how many matching requests it lets pass first').argParser(wholeNumber(0)))
        .addHelpText('after', ADD_HELP)
        .action(add),
    )
    .addCommand(controlCommand('list').description('Lists the faults in force.').action(list))
    .addCommand(
      controlCommand('clear').description('Removes all faults, or one.').argument('[id]', 'as xpk fault list shows it').action(clear),
    );
}

async function add(flags: AddFlags): Promise<void> {
  const { fault, operation, match, status, undocumented, header: headers, latency: wait, probability: chance, seed, times, after } = flags;
  const body = flags.body === undefined ? undefined : jsonOrText(await textOf(flags.body));
  const request = { fault, operation, match, status, undocumented, headers, body, ...wait, probability: chance, seed, times, after };
  print(flags, await clientOf(flags).post<Fault>('/faults', request), (added) => rowOf(added).join('  '));
}

function parameter(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It is a name and a value, such as userId=2065550001.');
  if (Object.hasOwn(earlier, name))
    throw new InvalidArgumentError(`The parameter ${name} is given twice, and a request has one value of it: add a fault for each value.`);
  return { ...earlier, [name]: value };
}

function latency(text: string): AddFlags['latency'] {
  const [, least, most] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (least === undefined) throw new InvalidArgumentError('It is a number of milliseconds such as 500, or a range such as 200-2000.');
  return { latencyMs: Number(least), ...(most !== undefined && { latencyMaxMs: Number(most) }) };
}

function probability(text: string): number {
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number > 0 && number <= 1) return number;
  throw new InvalidArgumentError('It is a number above 0 and up to 1, such as 0.2.');
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
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

function rowOf({
  id,
  fault,
  operation,
  match = {},
  status,
  undocumented,
  latencyMs,
  latencyMaxMs,
  probability: chance,
  seed,
  times,
  after = 0,
  hits,
}: Fault): string[] {
  const wait = latencyMs === undefined ? [] : [`${latencyMs}${latencyMaxMs === undefined ? '' : `-${latencyMaxMs}`} ms`];
  const needed = fault === 'authorization-service-down' ? 503 : status;
  const anywhere = needed === undefined || undocumented ? 'every operation' : `every operation that documents ${needed}`;
  const where = [operation ?? anywhere, ...Object.entries(match).map(([name, value]) => `${name}=${value}`)];
  const when = [
    ...(after > 0 ? [`after ${after}`] : []),
    ...(chance === undefined ? [] : [`probability ${chance}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    times === undefined ? 'every time' : `${times} ${times === 1 ? 'time' : 'times'}`,
  ];
  return [
    id,
    where.join(' '),
    [fault, ...(status === undefined ? [] : [status]), ...wait].join(' '),
    when.join(', '),
    `hit ${hits} so far`,
  ];
}
