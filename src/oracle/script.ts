import { type OperationId, operations } from '../contract/generated/operations.ts';
import { type Answers, describeRequest, describeStep, dropUncreated, fillPath, MEANWHILE, removeMarks } from './describe.ts';
import type { Names, Request } from './side.ts';
import type { Step } from './steps.ts';

/** The request that showed a difference, if no step did. */
interface LastRequest {
  readonly operation: OperationId;
  readonly request: Request;
  /** The query of the manager's list whose first page's cursor the request contains. */
  readonly cursorOf?: Request['query'];
  readonly withoutAuthorization?: boolean | undefined;
}

export interface SentStep {
  readonly step: Step;
  /** How many clients send the request at the same moment. */
  readonly times: number;
  readonly isWithPrevious?: boolean;
  readonly answers?: readonly Answers[];
}

/** The name of an entity, in JSON too. */
const NAME = /«([^»]+)»([\^⌫]?)/g;

/**
 * Writes a Bash script that repeats the steps at the target. It asks a person to make the changes in the portal and on the platform.
 * @param expected what is expected after the last step
 */
export function writeScript(names: Names, baseUrl: string, steps: readonly SentStep[], last?: LastRequest, expected?: string): string {
  const requests = [...steps.flatMap(({ step }) => step.request ?? []), ...(last ? [last.request] : [])];
  const tokens = [...new Set([...requests.map(({ as }) => as), ...(last?.cursorOf ? (['manager'] as const) : [])])].filter(
    (as) => as !== 'nobody',
  );
  return [
    `BASE=${quote(baseUrl)}`,
    ...tokens.map((as) => `: "\${${toTokenVariable(as)}:?Set it to the token that the profile has for this}"`),
    ...listKnown(names, steps, last).map((name) => `${toVariable(name)}=${quote(names.resolve(0, name))}`),
    ...steps.map((step, index) => writeStep(step, index, steps[index + 1]?.isWithPrevious)),
    ...(last ? [`\n# ${steps.length + 1}. ${describeRequest(last.operation, last.request)}`, ...prepare(last), toCurl(last)] : []),
    ...(expected === undefined ? [] : [`\necho ${quote(`The report says: ${removeMarks(expected)}`)}`]),
  ].join('\n');
}

/** The names in the steps whose ids the profile contains. */
export function listKnown(names: Names, steps: readonly SentStep[], last: unknown): readonly string[] {
  const used = JSON.stringify([steps.map(({ step }) => [step.request, step.action]), last]).matchAll(NAME);
  return [...new Set([...used].map(([, name]) => `«${name}»`))].filter((name) => names.canResolve(name)).sort();
}

function writeStep(sent: SentStep, index: number, isWithNext = false): string {
  const { times, isWithPrevious } = sent;
  const step = dropUncreated(sent.step, sent.answers ?? []);
  const { request, creates } = step;
  const variable = creates === undefined ? undefined : toVariable(creates);
  const comment = `\n# ${index + 1}. ${isWithPrevious ? MEANWHILE : ''}${describeStep(step, times)}`;
  if (request === undefined) return `${comment}\n${askFor(describeStep(step, times), variable)}`;
  const command = toCurl(request);
  const all = times === 1 ? command : `{ for i in {1..${times}}; do ${command} & done; wait; }`;
  if (variable !== undefined) return `${comment}\n${variable}=$(${all} | tee /dev/stderr | ${extract('id')})`;
  return `${comment}\n${all}${isWithNext ? ' &' : ''}${isWithPrevious ? '\nwait' : ''}`;
}

const askFor = (action: string, variable?: string): string =>
  variable === undefined
    ? `read -rp ${quote(`By hand: ${action}. Then press Enter.`)}`
    : `read -rp ${quote(`By hand: ${action}. Its id: `)} ${variable}`;

const extract = (member: string) => `sed -n 's/.*"${member}" *: *"\\([^"]*\\)".*/\\1/p'`;

/** What must happen before the last request. */
function prepare({ operation, request, cursorOf, withoutAuthorization }: LastRequest): string[] {
  const readFirstPage = (query: NonNullable<Request['query']>) => toCurl({ operation, request: { ...request, as: 'manager', query } });
  return [
    ...(cursorOf === undefined ? [] : [`CURSOR=$(${readFirstPage(cursorOf)} | tee /dev/stderr | ${extract('cursor')})`]),
    ...(withoutAuthorization ? [askFor('make the authorization service unreachable')] : []),
  ];
}

function toCurl(sent: LastRequest | NonNullable<Step['request']>): string {
  const { path, query, body, as, form } = 'request' in sent ? sent.request : sent;
  const parts = [
    `curl -sS -w '\\n%{http_code}\\n' -X ${operations[sent.operation].method.toUpperCase()}`,
    `"$BASE"${quote(fillPath(sent.operation, form, path))}`,
    ...(as === 'nobody' ? [] : [`-H "Authorization: Bearer $${toTokenVariable(as)}"`]),
    ...(query === undefined
      ? []
      : ['-G', ...Object.entries(query).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`)]),
    ...('cursorOf' in sent && sent.cursorOf ? ['--data-urlencode "cursor=$CURSOR"'] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quote(JSON.stringify(body))}`]),
  ];
  return parts.join(' ');
}

/** What Bash does to a variable for each mark after a name. */
const CHANGES = { '^': '^^', '⌫': '%?' } as const;

/** Quotes a shell argument. Names of entities become variables. */
function quote(marked: string): string {
  const escaped = `'${marked.replaceAll("'", "'\\''")}'`;
  const filled = escaped.replace(
    NAME,
    (_, name: string, mark: '' | keyof typeof CHANGES) => `'"\${${toVariable(name)}${mark && CHANGES[mark]}}"'`,
  );
  return filled.length > 2 ? filled.replace(/^''(?=")|(?<=")''$/g, '') : filled;
}

/** `connection #1`, which a step creates, becomes NEW_CONNECTION_1, and `account 1`, which the profile names, ACCOUNT_1. */
function toVariable(name: string): string {
  const words = name.replace(/[«»]/g, '').replace(/^(.*) #/, 'new $1 ');
  return words.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

const toTokenVariable = (as: string) => `${toVariable(as)}_TOKEN`;
