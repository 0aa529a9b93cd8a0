import type { Results } from '../results.ts';
import { byResource, WORDS } from '../verdict-words.ts';
import { html, type Markup } from './markup.ts';

/** An overview of the run: a small square for each rule in each form, which links to the rule. */
export function overviewMarkup({ rules, forms }: Results, tolerated: ReadonlySet<string>): Markup {
  const rows = [...byResource(rules)].flatMap(([resource, group]) =>
    forms.map((form, index) => {
      const squares = group.map(({ id, text, cells }) => {
        const verdict = cells[form]?.verdict ?? 'not-applicable';
        const known = tolerated.has(`${id} ${form}`);
        return html`<a href="#${id}" class="${verdict}${known ? ' known' : ''}" title="${WORDS[verdict]}: ${text}" aria-label="${id}, ${form}: ${WORDS[verdict]}"></a>`;
      });
      const first = index === 0 ? ' first' : '';
      return html`${index === 0 ? html`<b class="first">${resource}</b>` : undefined}<span class="form${first}">${form}</span><div class="row${first}">${squares}</div>`;
    }),
  );
  return html`<div class="overview">${rows}</div>`;
}
