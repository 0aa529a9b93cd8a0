import type { Cell, Check, Column, Exchange, Failure, RuleResult } from '../../contract/generated/results.ts';
import { addProfileMember } from '../profile-members.ts';
import { formatSeconds, listColumnNames, listRuleNotes, type RunView, TIME_LIMIT_EXPLANATION } from '../run-view.ts';
import { getVerdictWord, VERDICT_MARKS, VERDICT_WORDS } from '../verdicts.ts';
import { html, type Markup } from './markup.ts';
import { renderTimeline } from './timeline.ts';

type TargetKind = RunView['target']['kind'];

export function renderRule(rule: RuleResult, { columns, target: { kind }, isTolerated }: RunView, opened: boolean): Markup {
  const { id, text, level, section, verdict, cells } = rule;
  const isKnown = (column: Column) => isTolerated(id, column);
  const verdicts = [...new Set(Object.values(cells).map((cell) => cell.verdict))].join(' ');
  const missing = Object.values(cells).flatMap((cell) => cell.missing);
  const failed = Object.values(cells).flatMap(({ checks }) => checks.filter(({ failure }) => failure));
  return html`<details class="rule ${level}" id="${id}" data-verdict="${verdicts}" data-level="${level}" data-text="${[id, text, section, ...listRuleNotes(rule), ...missing].join(' ').toLowerCase()}"${opened && failed.length > 0 ? html` open` : undefined}>
<summary>${columns.map((column) => renderMark(rule, column, isKnown(column)))}<span class="sentence">${text}${listRuleNotes(rule).map((ruleNote) => html` <span class="chip">${ruleNote}</span>`)}</span><code>${id}</code></summary>
<div class="inside"><p class="section">${section} <span class="verdict ${verdict}">${getVerdictWord(verdict, level)}</span></p>
${columns.map((column) => renderCell(rule, column, isKnown(column), kind))}</div>
</details>`;
}

function renderMark({ level, cells }: RuleResult, column: Column, known: boolean): Markup {
  const cell = cells[column];
  const verdict = cell?.verdict ?? 'not-applicable';
  const label = `${formatColumnLabel(column)}${getVerdictWord(verdict, level)}${known ? ', known' : ''}${cell?.reason ? ` (${cell.reason})` : ''}`;
  return html`<span class="mark ${verdict} ${level}${known ? ' known' : ''}" title="${label}" role="img" aria-label="${label}">${VERDICT_MARKS[verdict]}</span>`;
}

function formatColumnLabel(column: Column): string {
  return listColumnNames([column])
    .map((name) => `${name}: `)
    .join('');
}

function renderCell({ text, cells }: RuleResult, column: Column, known: boolean, kind: TargetKind): Markup | undefined {
  const cell: Cell | undefined = cells[column];
  if (cell === undefined) return undefined;
  const { verdict, reason, checks } = cell;
  const isNamed = formatColumnLabel(column) !== '' || known || reason !== undefined;
  const heading = html`<h4><span class="dot ${verdict}"></span>${formatColumnLabel(column)}${VERDICT_WORDS[verdict]}${known ? ' (known, in the baseline)' : undefined}${reason ? html` <small>${reason}</small>` : undefined}</h4>`;
  return html`<section class="cell">${isNamed ? heading : undefined}
${checks.length === 0 ? undefined : html`<ul class="checks">${checks.map((check) => renderCheck(check, text, kind))}</ul>`}</section>`;
}

function renderCheck(check: Check, sentence: string, kind: TargetKind): Markup {
  const { title, place, verdict, durationMs, missing, reason, bounded, failure, exchange, timeline = [], replay } = check;
  const facts = [
    ...(place === undefined ? [] : [place]),
    ...(durationMs === undefined ? [] : [durationMs < 1000 ? `${durationMs} ms` : formatSeconds(durationMs)]),
  ];
  const why = missing ? `missing: ${missing.map(addProfileMember).join(', ')}` : bounded ? TIME_LIMIT_EXPLANATION : reason;
  return html`<li><div class="check"><span class="mark ${verdict}" title="${VERDICT_WORDS[verdict]}">${VERDICT_MARKS[verdict]}</span><span>${removeSentence(title, sentence)}${why ? html` <small>${why}</small>` : undefined}</span><small>${facts.join(', ')}</small></div>${failure ? renderFailure(failure) : undefined}${exchange && html`<details class="before"><summary>The last request in a run in which it passed</summary>${renderExchange(exchange)}</details>`}${timeline.length > 0 ? renderTimeline(timeline, kind, verdict === 'failed') : undefined}${replay === undefined ? undefined : renderCommand(replay)}</li>`;
}

function removeSentence(title: string, sentence: string): string {
  const rule = sentence.replace(/\.$/, '');
  const rest = title.startsWith(rule) ? title.slice(rule.length).replace(/^[.:\s]+/, '') : title;
  return rest === '' ? title : rest;
}

/** Matches the exchange at the end of a failure message. The page shows the exchange separately. */
const EXCHANGE_PATTERN = /\n[A-Z]+ \S+ was answered with \d+:.*$/s;

function renderFailure({ message, exchange, before = [], traceId, curl }: Failure): Markup {
  const [first = '', ...rest] = (exchange ? message.replace(EXCHANGE_PATTERN, '').trim() : message).split('\n');
  return html`<div class="failure">
<p class="message">${first}${rest.map((line) => html`<span>\n${line}</span>`)}</p>
${exchange && renderExchange(exchange)}
${traceId === undefined ? undefined : html`<p class="fact"><span>traceId</span> <code>${traceId}</code></p>`}
${curl === undefined ? undefined : renderCommand(curl)}
${before.length === 0 ? undefined : html`<details class="before"><summary>${before.length === 1 ? 'The request before this one' : `The ${before.length} requests before this one`}</summary>${before.map(renderExchange)}</details>`}
</div>`;
}

function renderCommand(command: string): Markup {
  return html`<div class="curl"><pre>${command}</pre><button type="button" data-copy>Copy</button></div>`;
}

function renderExchange({ method, url, requestHeaders, requestBody, status, headers, text }: Exchange): Markup {
  return html`<div class="exchange">
<div><h5>Request</h5><pre><b>${method} ${getPath(url)}</b>
${formatHeaders(requestHeaders)}${requestBody === undefined ? undefined : `\n\n${formatJson(requestBody)}`}</pre></div>
<div><h5>Response</h5><pre><b class="status s${Math.floor(status / 100)}">${status}</b>
${formatHeaders(headers)}${text === '' ? undefined : `\n\n${formatJson(text)}`}</pre></div>
</div>`;
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function getPath(url: string): string {
  const { pathname, search } = URL.canParse(url) ? new URL(url) : { pathname: url, search: '' };
  return pathname + search;
}

function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
