import type { PathForm } from '../../contract/generated/operations.ts';
import { withProfileMember } from '../profile-members.ts';
import type { Cell, Check, RuleResult } from '../results.ts';
import { BOUNDED, MARKS, seconds, WORDS } from '../verdict-words.ts';
import { failureMarkup } from './exchange.ts';
import { html, type Markup } from './markup.ts';

/** A rule, which opens to show its checks. @param opened whether failed rules are open at first */
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
  const { verdict, reason, missing, checks } = cell;
  const why =
    verdict === 'passed' && missing.length > 0 ? `partly tested, for lack of ${missing.map(withProfileMember).join(', ')}` : reason;
  return html`<section class="cell"><h4><span class="dot ${verdict}"></span>${form}: ${WORDS[verdict]}${known ? ' (known, in the baseline)' : undefined}${why ? html` <small>${why}</small>` : undefined}</h4>
${checks.length === 0 ? undefined : html`<ul class="checks">${checks.map((check) => checkMarkup(check, sentence))}</ul>`}</section>`;
}

function checkMarkup({ title, place, verdict, durationMs, missing, reason, bounded, failure }: Check, sentence: string): Markup {
  const why = missing ? `missing: ${missing.map(withProfileMember).join(', ')}` : bounded ? BOUNDED : reason;
  return html`<li><div class="check"><span class="mark ${verdict}" title="${WORDS[verdict]}">${MARKS[verdict]}</span><span>${variantOf(title, sentence)}${why ? html` <small>${why}</small>` : undefined}</span><small>${place}, ${durationMs < 1000 ? `${durationMs} ms` : seconds(durationMs)}</small></div>${failure ? failureMarkup(failure) : undefined}</li>`;
}

/** The title of a check begins with that of its rule, which is shown already. */
function variantOf(title: string, sentence: string): string {
  const rule = sentence.replace(/\.$/, '');
  const rest = title.startsWith(rule) ? title.slice(rule.length).replace(/^[.:\s]+/, '') : title;
  return rest === '' ? title : rest;
}
