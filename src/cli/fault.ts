import { Command, InvalidArgumentError, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, createClient, createControlCommand, createWholeNumberParser, omitUndefined, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { formatTable } from './format.ts';
import { parseHeader, readTextOrFile } from './payload.ts';

type Fault = components['schemas']['Fault'];
type Kind = Fault['fault'];
type Latency = Pick<Fault, 'latencyMs' | 'latencyMaxMs'>;

const FAULT_KINDS: Readonly<Record<Kind, true>> = {
  problem: true,
  response: true,
  latency: true,
  'connection-reset': true,
  'authorization-service-down': true,
  'altered-state': true,
};

interface AddFlags extends ControlFlags {
  readonly fault: Kind;
  readonly operation?: string;
  readonly match?: Record<string, string>;
  readonly status?: number;
  readonly rule?: string;
  readonly undocumented?: boolean;
  readonly header?: Record<string, string>;
  readonly body?: string;
  readonly latency?: Latency;
  readonly probability?: number;
  readonly seed?: number;
  readonly times?: number;
  readonly after?: number;
}

const ADD_HELP = `
Kinds:
  problem                     a problem with the status from --status, or with the rule from --rule
  response                    a response with --status, --header and --body
  latency                     the response is delayed by --latency
  connection-reset            the connection ends without a response. With --times 1, a page in a browser may not notice
                              the fault: if the connection was used before, the browser sends the request again on a new one
  authorization-service-down  permissions cannot be looked up, so requests that need them get a 503
  altered-state               the redirect after a login has a valid code and a wrong state

Faults apply in the order in which they were added. The first fault that applies, other than a latency, determines the response; later
faults ignore the request. Latencies add up.

Examples:
  xpk fault add --fault problem --status 503 --operation getUser --times 2
  xpk fault add --fault problem --rule connections.delete.numbers-assigned --times 1
  xpk fault add --fault problem --status 404 --match assignmentId=$ID
  xpk fault add --fault response --status 502 --undocumented --header content-type:text/html --body '<h1>Bad gateway</h1>'
  xpk fault add --fault latency --latency 200-2000 --probability 0.2 --seed 1`;

export function createFaultCommand(): Command {
  return new Command('fault')
    .description('Makes operations of a running kit fail on purpose.')
    .addCommand(
      createControlCommand('add')
        .description('Adds a fault.')
        .addOption(new Option('--fault <kind>', 'what happens').choices(Object.keys(FAULT_KINDS)).makeOptionMandatory())
        .option(
          '--operation <id>',
          'the operation that fails, such as getUser; by default every operation that documents the status of the fault',
        )
        .addOption(
          new Option('--match <name=value>', 'only requests with this path or query parameter; repeatable').argParser(parseParameter),
        )
        .addOption(new Option('--status <status>', 'the status for a problem or response').argParser(createWholeNumberParser(200, 599)))
        .option('--rule <id>', 'the rule whose problem is sent, such as users.get.rate; the rule determines the status')
        .option('--undocumented', 'allow a status that is not documented for the operation')
        .addOption(new Option('--header <name:value>', 'a response header; repeatable').argParser(parseHeader))
        .option('--body <text>', 'the response body, JSON or any other text; @file reads it from a file')
        .addOption(new Option('--latency <ms>', 'milliseconds of wall time, or a range such as 200-2000').argParser(parseLatency))
        .addOption(new Option('--probability <number>', 'the probability that a request is hit, from 0 to 1').argParser(parseProbability))
        .addOption(
          new Option(
            '--seed <number>',
            'the seed for --probability and a --latency range: the same seed causes the same sequence',
          ).argParser(createWholeNumberParser(0, 2 ** 32 - 1)),
        )
        .addOption(
          new Option('--times <count>', 'how many requests the fault hits; no limit by default').argParser(createWholeNumberParser(1)),
        )
        .addOption(
          new Option('--after <count>', 'how many matching requests are unaffected before the first affected request').argParser(
            createWholeNumberParser(0),
          ),
        )
        .addHelpText('after', ADD_HELP)
        .action(addFault),
    )
    .addCommand(
      createControlCommand('list').description('Lists the faults.').addHelpText('after', '\nExample:\n  xpk fault list').action(listFaults),
    )
    .addCommand(
      createControlCommand('clear')
        .description('Removes all faults, or the fault with the given id.')
        .argument('[id]', "the fault's id, as shown by xpk fault list")
        .addHelpText('after', '\nExamples:\n  xpk fault clear\n  xpk fault clear fault-1')
        .action(clearFaults),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  xpk fault add --fault problem --status 503 --operation getUser --times 2\n  xpk fault list\n  xpk fault clear fault-1',
    );
}

function parseParameter(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('The parameter must have the form name=value, such as userId=2065550001.');
  if (Object.hasOwn(earlier, name))
    throw new InvalidArgumentError(`The parameter ${name} is given twice. To match several values, add a fault for each value.`);
  return { ...earlier, [name]: value };
}

function parseLatency(text: string): Latency {
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (min === undefined)
    throw new InvalidArgumentError('The value must be a number of milliseconds such as 500, or a range such as 200-2000.');
  return { latencyMs: Number(min), ...(max !== undefined && { latencyMaxMs: Number(max) }) };
}

function parseProbability(text: string): number {
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number > 0 && number <= 1) return number;
  throw new InvalidArgumentError('The value must be a number greater than 0 and at most 1, such as 0.2.');
}

async function addFault(flags: AddFlags): Promise<void> {
  const { fault, operation, match, status, rule, undocumented, header: headers, latency, probability, seed, times, after } = flags;
  const body = flags.body === undefined ? undefined : parseJsonOrText(await readTextOrFile(flags.body));
  const request = {
    fault,
    ...omitUndefined({ operation, match, status, rule, undocumented, headers, body, ...latency, probability, seed, times, after }),
  };
  print(flags, await getResponseData(createClient(flags).POST('/_control/faults', { body: request })), (added) =>
    formatRow(added).join('  '),
  );
}

function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function listFaults(flags: ControlFlags): Promise<void> {
  print(flags, await getResponseData(createClient(flags).GET('/_control/faults')), (faults) =>
    faults.length === 0 ? 'There are no faults.' : formatTable(faults.map(formatRow)),
  );
}

async function clearFaults(faultId: string | undefined, flags: ControlFlags): Promise<void> {
  const control = createClient(flags);
  await (faultId === undefined
    ? control.DELETE('/_control/faults')
    : control.DELETE('/_control/faults/{faultId}', { params: { path: { faultId } } }));
  print(flags, { cleared: faultId ?? 'all' }, () => (faultId === undefined ? 'Removed all faults.' : `Removed ${faultId}.`));
}

function formatRow(row: Fault): string[] {
  const {
    id,
    fault,
    operation,
    match = {},
    status,
    rule,
    undocumented,
    latencyMs,
    latencyMaxMs,
    probability,
    seed,
    times,
    after = 0,
    hits,
  } = row;
  const documented = fault === 'authorization-service-down' ? 503 : status;
  const ofRule = rule === undefined ? `every operation that documents ${documented}` : 'every operation with the rule';
  const any = (documented ?? rule) === undefined || undocumented ? 'every operation' : ofRule;
  const parameters = Object.entries(match).map(([name, value]) => ` ${name}=${value}`);
  const latency = latencyMs === undefined ? '' : ` ${latencyMs}${latencyMaxMs === undefined ? '' : `-${latencyMaxMs}`} ms`;
  const conditions = [
    ...(after > 0 ? [`after ${after}`] : []),
    ...(probability === undefined ? [] : [`probability ${probability}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    times === undefined ? 'every time' : times === 1 ? '1 time' : `${times} times`,
  ];
  const effect = `${fault}${(rule ?? status) === undefined ? '' : ` ${rule ?? status}`}${latency}`;
  return [id, (operation ?? any) + parameters.join(''), effect, conditions.join(', '), `${hits} hits so far`];
}
