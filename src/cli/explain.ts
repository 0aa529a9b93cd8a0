import { styleText } from 'node:util';
import type { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, pathOf, print } from './control-options.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];
type Explanation = Schemas['Explanation'];

/** `xpk explain`: why a running kit gave an answer, and what would have let the request succeed. */
export function explainCommand(): Command {
  return controlCommand('explain')
    .description(
      'Explains an answer: the rule, the part of the request, the state it was judged on, and the smallest change that succeeds.',
    )
    .argument('<traceId>', 'the traceId of a problem, or of a request that xpk logs shows; or a whole traceparent')
    .addHelpText(
      'after',
      '\nThe change is tried out on a copy of the world, from which nothing is delivered to anyone. Lists that are empty are explained, too.\n\nExamples:\n  xpk explain 4bf92f3577b34da6a3ce929d0e0e4736\n  xpk explain $(curl -s … | jq -r .traceId)\n  xpk explain $(xpk logs --status 4xx --json | tail -1 | jq -r .traceId) --json | jq .change',
    )
    .action(explain);
}

/** An empty argument may come from a shell command that found nothing. */
async function explain(traceId: string, flags: ControlFlags): Promise<void> {
  if (traceId.trim() === '')
    throw new UsageError(
      'A trace id is needed: xpk logs shows those of the last requests, and a problem has its own in its member traceId.',
    );
  print(flags, await clientOf(flags).get<Explanation>(`/explain${pathOf(traceId)}`), explanationInWords);
}

/** An explanation for a terminal, a paragraph for each of its parts. */
export function explanationInWords(explanation: Explanation): string {
  const { method, path, operationId, status, summary, reason, detail, request, state, change, now, others = [] } = explanation;
  const head = [status ?? '---', operationId, `${method} ${path}`].filter((part) => part !== undefined).join('  ');
  return [
    styleText('bold', visible(head)),
    ...(reason === undefined && state === undefined ? [visible(summary)] : []),
    ...(reason ? [section(TITLES[reason.kind], reasonLines(reason))] : []),
    // Of an OAuth error it is the reason.
    ...(detail !== undefined && detail !== reason?.text ? [section('Detail', [detail])] : []),
    ...(request.length > 0 ? [section('Request', request.map(partLine))] : []),
    ...(state ? [section('State', [state.text])] : []),
    ...(change ? [section('Change', changeLines(change))] : []),
    ...(now ? [section('Now', [now.text])] : []),
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
  const chosen = `The specification leaves it open. In force: ${String(inForce)}; instead: ${alternatives.map(String).join(', ') || 'nothing else'}.`;
  return [where === '' ? id : `${id} (${where})`, text, ...(kind === 'decision' ? [chosen] : [])];
}

function partLine({ in: where, name, value }: Schemas['ExplainedPart']): string {
  if (where === 'method') return `method ${name}`;
  if (value === undefined) return `${where} ${name}: not sent`;
  return `${where} ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function changeLines({ text, tested, succeeds, status, control = [], request = {} }: Schemas['ExplainedChange']): string[] {
  const { token, ...edited } = request;
  const came = status === undefined ? 'no answer' : String(status);
  return [
    text,
    ...control.map(({ method, path, body }) => [method, path, body === undefined ? '' : JSON.stringify(body)].join(' ').trimEnd()),
    ...(token ? [`POST /_control/tokens ${JSON.stringify(token)}`] : []),
    ...Object.entries(edited).map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ...(tested ? [`Tried on a copy of the world: ${came}${succeeds ? '' : ', which is no success yet'}.`] : []),
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

/** A title, and the lines beside it. */
function section(title: string, lines: readonly string[]): string {
  const [first = '', ...rest] = lines.map(visible);
  const indent = ' '.repeat(WIDTH);
  return [styleText('yellow', title.padEnd(WIDTH)) + first, ...rest.map((line) => indent + line)].join('\n');
}

/** What was sent must not move the cursor of whoever reads it. */
const visible = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?');
