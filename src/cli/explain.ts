import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { callOperation } from '../control-client/call.ts';
import { colourText } from '../report/printable.ts';
import { type ControlFlags, createClient, createControlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { toOneLine } from './format.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];
type Explanation = Schemas['Explanation'];

interface Flags extends ControlFlags {
  readonly event?: string;
  readonly entity?: string;
  readonly subscription?: string;
  readonly since?: string;
}

export function createExplainCommand(): Command {
  return createControlCommand('explain')
    .description(
      'Explains a response: the rule, the parameters and the state that caused the response, and a change with which the request succeeds. With --event or --entity: explains which subscriptions received an event, or why there was no event.',
    )
    .argument('[traceId]', 'a trace id from a problem or from xpk logs, a whole traceparent, or the number of a request, such as #12')
    .option('--event <type>', 'explain events of this type, or about this entity (alias or id), instead of a response')
    .option('--entity <name>', 'explain events about this connection, assignment or user (alias or id), instead of a response')
    .option('--subscription <name>', 'with --event or --entity: explain only whether this subscription (alias or id) received the event')
    .option('--since <position>', 'with --event or --entity: explain only events published after this position (from xpk clock --json)')
    .addHelpText(
      'after',
      '\nThe command also explains empty lists. It only suggests a change, and never makes the change.\n\nExamples:\n  xpk explain 4bf92f3577b34da6a3ce929d0e0e4736\n  xpk explain $(curl -s … | jq -r .traceId)\n  xpk explain $(xpk logs --status 4xx --json | tail -1 | jq -r .traceId) --json | jq .change\n  xpk explain --event experience.connection.activated --entity northwind-reception',
    )
    .action((traceId: string | undefined, flags: Flags) =>
      isAboutEvents(flags) ? explainEvents(traceId, flags) : explainResponse(traceId, flags),
    );
}

const isAboutEvents = ({ event, entity, subscription, since }: Flags): boolean =>
  [event, entity, subscription, since].some((one) => one !== undefined);

const isEventType = (event: string): boolean => event === 'raw' || /^(experience|provisioning)\./.test(event);

async function explainEvents(traceId: string | undefined, { event, entity, subscription, since, ...flags }: Flags): Promise<void> {
  if (traceId !== undefined) throw new UsageError('Give a trace id, or options about an event, not both.');
  const type = event !== undefined && isEventType(event) ? event : undefined;
  const named = type === undefined ? event : undefined;
  if (named !== undefined && entity !== undefined)
    throw new UsageError(
      `--event ${named} names an entity instead of an event type, and --entity names another entity. Give only one of them.`,
    );
  const values = { type, entity: named ?? entity, subscription, since };
  print(flags, await getResponseData(callOperation(createClient(flags), 'explainEvents', values)), ({ text }) => text);
}

/** Refuses an empty trace id, which the shell's `$(jq …)` returns if nothing matches. */
async function explainResponse(traceId = '', flags: Flags): Promise<void> {
  if (traceId.trim() === '')
    throw new UsageError(
      "Give a trace id, or --event. xpk logs shows the trace ids of the last requests, and a problem's traceId member is a trace id.",
    );
  const control = createClient(flags);
  const [, number] = /^#?(\d{1,9})$/.exec(traceId) ?? [];
  const named = number === undefined ? traceId : await findTraceId(control, Number(number));
  print(flags, await getResponseData(callOperation(control, 'explain', { traceId: named })), formatExplanation);
}

async function findTraceId(control: ReturnType<typeof createClient>, number: number): Promise<string> {
  const [entry] = await getResponseData(callOperation(control, 'listRequests', { before: number + 1, limit: 1, view: 'summary' }));
  if (entry?.number !== number) throw new Error(`The journal has no request #${number}. xpk logs shows the numbers of the last requests.`);
  return entry.traceId;
}

export function formatExplanation(explanation: Explanation): string {
  const { method, path, operationId, status, summary, reason, refusals = [], detail, request, state, change, others = [] } = explanation;
  const head = [status ?? '---', operationId, `${method} ${path}`].filter((part) => part !== undefined).join('  ');
  return [
    colourText('bold', toOneLine(head)),
    ...(reason === undefined && state === undefined ? [toOneLine(summary)] : []),
    ...(reason ? [formatSection(REASON_TITLES[reason.kind], formatReason(reason))] : []),
    ...(refusals.length > 0 ? [formatSection('Contract', refusals.flatMap(formatRefusal))] : []),
    // For OAuth errors, detail and reason have the same text.
    ...(detail !== undefined && detail !== reason?.text ? [formatSection('Detail', [detail])] : []),
    ...(request.length > 0 ? [formatSection('Request', request.map(formatPart))] : []),
    ...(state ? [formatSection('State', [state.text, ...formatFacts(state)])] : []),
    ...(change ? [formatSection('Change', formatChange(change))] : []),
    ...(others.length > 0 ? [formatSection('Others', formatOtherRequests(others))] : []),
  ].join('\n');
}

const REASON_TITLES: Readonly<Record<Schemas['ExplainedReason']['kind'], string>> = {
  rule: 'Rule',
  decision: 'Open',
  gate: 'Gate',
  oauth: 'OAuth',
};

function formatReason({ id, kind, text, level, section: place, inForce, alternatives = [] }: Schemas['ExplainedReason']): string[] {
  const where = [level, place].filter((part) => part !== undefined).join(', ');
  const chosen = `The specification leaves this open. Current value: ${String(inForce)}. Alternatives: ${alternatives.map(String).join(', ') || 'none'}.`;
  return [where === '' ? id : `${id} (${where})`, text, ...(kind === 'decision' ? [chosen] : [])];
}

const formatRefusal = ({ rule, level, section, text }: Schemas['DocumentedRefusal']): string[] => [`${rule} (${level}, ${section})`, text];

function formatPart({ location, name, value }: Schemas['ExplainedPart']): string {
  if (location === 'method') return `method ${name}`;
  if (value === undefined) return `${location} ${name}: not sent`;
  return `${location} ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function formatChange({ text, control = [], request = {} }: Schemas['ExplainedChange']): string[] {
  const { token, ...edited } = request;
  return [
    text,
    ...control.map(({ method, path, body }) => [method, path, body === undefined ? '' : JSON.stringify(body)].join(' ').trimEnd()),
    ...(token ? [`POST /_control/tokens ${JSON.stringify(token)}`] : []),
    ...Object.entries(edited).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ];
}

/** Shows each fact that is an id or a level; an id with its alias. */
function formatFacts({ facts, names }: Schemas['ExplainedState']): string[] {
  const shown = Object.entries(facts).filter(([name, value]) => names[String(value)] !== undefined || name.endsWith('Level'));
  return shown.map(([name, value]) => [name, value, names[String(value)]?.alias].filter((part) => part !== undefined).join(' '));
}

const MAX_OTHER_REQUESTS = 5;

function formatOtherRequests(others: readonly Schemas['ExplainedOther'][]): string[] {
  const count = others.length === 1 ? 'One older request had' : `${others.length} older requests had`;
  const shown = others.slice(0, MAX_OTHER_REQUESTS);
  return [
    `${count} this trace id, too; the newest is explained.`,
    ...shown.map(({ number, status, method, path }) => `${number}  ${status ?? '---'}  ${method} ${path}`),
    ...(others.length > shown.length ? ['…'] : []),
  ];
}

const TITLE_WIDTH = 9;

function formatSection(title: string, lines: readonly string[]): string {
  const [first = '', ...rest] = lines.map(toOneLine);
  const indent = ' '.repeat(TITLE_WIDTH);
  return [colourText('yellow', title.padEnd(TITLE_WIDTH)) + first, ...rest.map((line) => indent + line)].join('\n');
}
