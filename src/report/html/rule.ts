import type { PathForm } from '../../contract/generated/operations.ts';
import type { Cell, Check, Exchange, Failure, RuleResult } from '../../contract/generated/results.ts';
import { withProfileMember } from '../profile-members.ts';
import { BOUNDED, MARKS, seconds, WORDS } from '../summary.ts';
import { html, type Markup } from './markup.ts';

/** Returns the markup of a rule. A reader can open the rule to see its checks. @param opened whether a failed rule is open initially */
export function ruleMarkup(rule: RuleResult, forms: readonly PathForm[], tolerated: ReadonlySet<string>, opened: boolean): Markup {
  const { id, text, level, section, verdict, cells } = rule;
  const known = (form: PathForm) => tolerated.has(`${id} ${form}`);
  const verdicts = [...new Set(Object.values(cells).map((cell) => cell.verdict))].join(' ');
  const missing = Object.values(cells).flatMap((cell) => cell.missing);
  const failed = Object.values(cells).flatMap(({ checks }) => checks.filter(({ failure }) => failure));
  return html`<details class="rule" id="${id}" data-verdict="${verdicts}" data-level="${level}" data-text="${[id, text, section, ...missing].join(' ').toLowerCase()}"${opened && failed.length > 0 ? html` open` : undefined}>
<summary>${forms.map((form) => markMarkup(form, cells[form], known(form)))}<span class="sentence">${text}${level === 'implied' ? html` <span class="chip">implied</span>` : undefined}</span><code>${id}</code></summary>
<div class="inside"><p class="section">${section} <span class="verdict ${verdict}">${WORDS[verdict]}</span></p>
${forms.map((form) => cellMarkup(text, form, cells[form], known(form)))}</div>
</details>`;
}

function markMarkup(form: PathForm, cell: Cell | undefined, known: boolean): Markup {
  const verdict = cell?.verdict ?? 'not-applicable';
  const label = `${form}: ${WORDS[verdict]}${known ? ', known' : ''}${cell?.reason ? ` (${cell.reason})` : ''}`;
  return html`<span class="mark ${verdict}${known ? ' known' : ''}" title="${label}" role="img" aria-label="${label}">${MARKS[verdict]}</span>`;
}

function cellMarkup(sentence: string, form: PathForm, cell: Cell | undefined, known: boolean): Markup | undefined {
  if (cell === undefined) return undefined;
  const { verdict, reason, checks } = cell;
  return html`<section class="cell"><h4><span class="dot ${verdict}"></span>${form}: ${WORDS[verdict]}${known ? ' (known, in the baseline)' : undefined}${reason ? html` <small>${reason}</small>` : undefined}</h4>
${checks.length === 0 ? undefined : html`<ul class="checks">${checks.map((check) => checkMarkup(check, sentence))}</ul>`}</section>`;
}

function checkMarkup({ title, place, verdict, durationMs, missing, reason, bounded, failure }: Check, sentence: string): Markup {
  const why = missing ? `missing: ${missing.map(withProfileMember).join(', ')}` : bounded ? BOUNDED : reason;
  return html`<li><div class="check"><span class="mark ${verdict}" title="${WORDS[verdict]}">${MARKS[verdict]}</span><span>${variantOf(title, sentence)}${why ? html` <small>${why}</small>` : undefined}</span><small>${place}, ${durationMs < 1000 ? `${durationMs} ms` : seconds(durationMs)}</small></div>${failure ? failureMarkup(failure) : undefined}</li>`;
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
  return html`<div class="failure">
<p class="message">${exchange ? message.replace(ANSWERED, '').trim() : message}</p>
${exchange && exchangeMarkup(exchange)}
${traceId === undefined ? undefined : html`<p class="fact"><span>traceId</span> <code>${traceId}</code></p>`}
${curl === undefined ? undefined : html`<div class="curl"><pre>${curl}</pre><button type="button" data-copy>Copy</button></div>`}
${before.length === 0 ? undefined : html`<details class="before"><summary>${before.length === 1 ? 'The request before this one' : `The ${before.length} requests before this one`}</summary>${before.map(exchangeMarkup)}</details>`}
</div>`;
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
