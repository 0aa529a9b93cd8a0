import type { Cell, Check, Column, Exchange, Failure, Results, RuleResult } from '../../contract/generated/results.ts';
import { withProfileMember } from '../profile-members.ts';
import { BOUNDED, columnNames, MARKS, seconds, WORDS, wordOf } from '../summary.ts';
import { html, type Markup } from './markup.ts';
import { timelineMarkup } from './timeline.ts';

/** The members of a run that the markup of a rule depends on. */
interface Run {
  readonly columns: readonly Column[];
  readonly kind: Results['target']['kind'];
}

/** Returns the markup of a rule. A reader can open the rule to see its checks. @param opened whether a failed rule is open initially */
export function ruleMarkup(rule: RuleResult, { columns, kind }: Run, tolerated: ReadonlySet<string>, opened: boolean): Markup {
  const { id, text, level, section, verdict, cells } = rule;
  const known = (column: Column) => tolerated.has(`${id} ${column}`);
  const verdicts = [...new Set(Object.values(cells).map((cell) => cell.verdict))].join(' ');
  const missing = Object.values(cells).flatMap((cell) => cell.missing);
  const failed = Object.values(cells).flatMap(({ checks }) => checks.filter(({ failure }) => failure));
  return html`<details class="rule ${level}" id="${id}" data-verdict="${verdicts}" data-level="${level}" data-text="${[id, text, section, ...missing].join(' ').toLowerCase()}"${opened && failed.length > 0 ? html` open` : undefined}>
<summary>${columns.map((column) => markMarkup(rule, column, known(column)))}<span class="sentence">${text}${level === 'documented' ? undefined : html` <span class="chip">${level}</span>`}</span><code>${id}</code></summary>
<div class="inside"><p class="section">${section} <span class="verdict ${verdict}">${wordOf(verdict, level)}</span></p>
${columns.map((column) => cellMarkup(rule, column, known(column), kind))}</div>
</details>`;
}

function markMarkup({ level, cells }: RuleResult, column: Column, known: boolean): Markup {
  const cell = cells[column];
  const verdict = cell?.verdict ?? 'not-applicable';
  const label = `${columnLabel(column)}${wordOf(verdict, level)}${known ? ', known' : ''}${cell?.reason ? ` (${cell.reason})` : ''}`;
  return html`<span class="mark ${verdict} ${level}${known ? ' known' : ''}" title="${label}" role="img" aria-label="${label}">${MARKS[verdict]}</span>`;
}

function columnLabel(column: Column): string {
  return columnNames([column])
    .map((name) => `${name}: `)
    .join('');
}

function cellMarkup({ text, cells }: RuleResult, column: Column, known: boolean, kind: Run['kind']): Markup | undefined {
  const cell: Cell | undefined = cells[column];
  if (cell === undefined) return undefined;
  const { verdict, reason, checks } = cell;
  // The only column of an integration needs no heading, because the rule shows its verdict.
  const isNamed = columnLabel(column) !== '' || known || reason !== undefined;
  const heading = html`<h4><span class="dot ${verdict}"></span>${columnLabel(column)}${WORDS[verdict]}${known ? ' (known, in the baseline)' : undefined}${reason ? html` <small>${reason}</small>` : undefined}</h4>`;
  return html`<section class="cell">${isNamed ? heading : undefined}
${checks.length === 0 ? undefined : html`<ul class="checks">${checks.map((check) => checkMarkup(check, text, kind))}</ul>`}</section>`;
}

function checkMarkup(check: Check, sentence: string, kind: Run['kind']): Markup {
  const { title, place, verdict, durationMs, missing, reason, bounded, failure, timeline = [], replay } = check;
  const facts = [
    ...(place === undefined ? [] : [place]),
    ...(durationMs === undefined ? [] : [durationMs < 1000 ? `${durationMs} ms` : seconds(durationMs)]),
  ];
  const why = missing ? `missing: ${missing.map(withProfileMember).join(', ')}` : bounded ? BOUNDED : reason;
  return html`<li><div class="check"><span class="mark ${verdict}" title="${WORDS[verdict]}">${MARKS[verdict]}</span><span>${variantOf(title, sentence)}${why ? html` <small>${why}</small>` : undefined}</span><small>${facts.join(', ')}</small></div>${failure ? failureMarkup(failure) : undefined}${timeline.length > 0 ? timelineMarkup(timeline, kind, verdict === 'failed') : undefined}${replay === undefined ? undefined : commandMarkup(replay)}</li>`;
}

/** Returns the title of a check without the sentence of its rule, because the page already shows the sentence. */
function variantOf(title: string, sentence: string): string {
  const rule = sentence.replace(/\.$/, '');
  const rest = title.startsWith(rule) ? title.slice(rule.length).replace(/^[.:\s]+/, '') : title;
  return rest === '' ? title : rest;
}

/**
 * Matches the description of the exchange at the end of a failure message. The description is removed, because the page shows the exchange
 * below the message.
 */
const ANSWERED = /\n[A-Z]+ \S+ was answered with \d+:.*$/s;

/** Returns the markup of a failure: its message, its exchange, and a curl command that repeats the request. */
function failureMarkup({ message, exchange, before = [], traceId, curl }: Failure): Markup {
  const [first = '', ...rest] = (exchange ? message.replace(ANSWERED, '').trim() : message).split('\n');
  return html`<div class="failure">
<p class="message">${first}${rest.map((line) => html`<span>\n${line}</span>`)}</p>
${exchange && exchangeMarkup(exchange)}
${traceId === undefined ? undefined : html`<p class="fact"><span>traceId</span> <code>${traceId}</code></p>`}
${curl === undefined ? undefined : commandMarkup(curl)}
${before.length === 0 ? undefined : html`<details class="before"><summary>${before.length === 1 ? 'The request before this one' : `The ${before.length} requests before this one`}</summary>${before.map(exchangeMarkup)}</details>`}
</div>`;
}

/** Returns the markup of a command that a reader can copy. */
function commandMarkup(command: string): Markup {
  return html`<div class="curl"><pre>${command}</pre><button type="button" data-copy>Copy</button></div>`;
}

function exchangeMarkup({ method, url, requestHeaders, requestBody, status, headers, text }: Exchange): Markup {
  return html`<div class="exchange">
<div><h5>Request</h5><pre><b>${method} ${pathOf(url)}</b>
${headerLines(requestHeaders)}${requestBody === undefined ? undefined : `\n\n${pretty(requestBody)}`}</pre></div>
<div><h5>Response</h5><pre><b class="status s${Math.floor(status / 100)}">${status}</b>
${headerLines(headers)}${text === '' ? undefined : `\n\n${pretty(text)}`}</pre></div>
</div>`;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function pathOf(url: string): string {
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' };
  return pathname + search;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
