import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientFor, controlCommand, print } from './command.ts';
import { dataOf } from './control-client.ts';
import { printable as visible } from './format.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];
type Explanation = Schemas['Explanation'];

export function explainCommand(): Command {
  return controlCommand('explain')
    .description(
      'Explains a response: the rule, the parameters and the state that caused the response, and a change with which the request succeeds.',
    )
    .argument('<traceId>', 'the traceId of a problem, or of a request that xpk logs shows; or a whole traceparent')
    .addHelpText(
      'after',
      '\nExplains empty lists, too. Only suggests the change, and does not make it.\n\nExamples:\n  xpk explain 4bf92f3577b34da6a3ce929d0e0e4736\n  xpk explain $(curl -s … | jq -r .traceId)\n  xpk explain $(xpk logs --status 4xx --json | tail -1 | jq -r .traceId) --json | jq .change',
    )
    .action(explain);
}

/** Refuses an empty trace id. A shell command such as `$(jq …)` returns an empty string if it finds nothing. */
async function explain(traceId: string, flags: ControlFlags): Promise<void> {
  if (traceId.trim() === '')
    throw new UsageError(
      'A trace id is needed. xpk logs shows the trace ids of the last requests, and the member traceId of a problem is a trace id.',
    );
  print(flags, await dataOf(clientFor(flags).GET('/_control/explain/{traceId}', { params: { path: { traceId } } })), formatExplanation);
}

/** Formats an explanation for a terminal, with a section for each member of the explanation. */
export function formatExplanation(explanation: Explanation): string {
  const { method, path, operationId, status, summary, reason, detail, request, state, change, others = [] } = explanation;
  const head = [status ?? '---', operationId, `${method} ${path}`].filter((part) => part !== undefined).join('  ');
  return [
    styleText('bold', visible(head)),
    ...(reason === undefined && state === undefined ? [visible(summary)] : []),
    ...(reason ? [section(TITLES[reason.kind], reasonLines(reason))] : []),
    // The detail is printed only if it differs from the text of the reason. For OAuth errors, both are the same text.
    ...(detail !== undefined && detail !== reason?.text ? [section('Detail', [detail])] : []),
    ...(request.length > 0 ? [section('Request', request.map(partLine))] : []),
    ...(state ? [section('State', [state.text])] : []),
    ...(change ? [section('Change', changeLines(change))] : []),
    ...(others.length > 0 ? [section('Others', otherLines(others))] : []),
  ].join('\n');
}

const TITLES: Readonly<Record<Schemas['ExplainedReason']['kind'], string>> = {
  rule: 'Rule',
  decision: 'Open',
  gate: 'Gate',
  oauth: 'OAuth',
};

function reasonLines({ id, kind, text, level, section: place, inForce, alternatives = [] }: Schemas['ExplainedReason']): string[] {
  const where = [level, place].filter((part) => part !== undefined).join(', ');
  const chosen = `The specification leaves this open. Current value: ${String(inForce)}. Alternatives: ${alternatives.map(String).join(', ') || 'none'}.`;
  return [where === '' ? id : `${id} (${where})`, text, ...(kind === 'decision' ? [chosen] : [])];
}

function partLine({ in: where, name, value }: Schemas['ExplainedPart']): string {
  if (where === 'method') return `method ${name}`;
  if (value === undefined) return `${where} ${name}: not sent`;
  return `${where} ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function changeLines({ text, control = [], request = {} }: Schemas['ExplainedChange']): string[] {
  const { token, ...edited } = request;
  return [
    text,
    ...control.map(({ method, path, body }) => [method, path, body === undefined ? '' : JSON.stringify(body)].join(' ').trimEnd()),
    ...(token ? [`POST /_control/tokens ${JSON.stringify(token)}`] : []),
    ...Object.entries(edited).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ];
}

const MOST_OTHERS = 5;

function otherLines(others: readonly Schemas['ExplainedOther'][]): string[] {
  const count = others.length === 1 ? 'One older request had' : `${others.length} older requests had`;
  const shown = others.slice(0, MOST_OTHERS);
  return [
    `${count} this trace id, too; the newest is explained.`,
    ...shown.map(({ number, status, method, path }) => `${number}  ${status ?? '---'}  ${method} ${path}`),
    ...(others.length > shown.length ? ['…'] : []),
  ];
}

const WIDTH = 9;

/** Formats a section with the title in the first column and the lines in the second. */
function section(title: string, lines: readonly string[]): string {
  const [first = '', ...rest] = lines.map(visible);
  const indent = ' '.repeat(WIDTH);
  return [styleText('yellow', title.padEnd(WIDTH)) + first, ...rest.map((line) => indent + line)].join('\n');
}
