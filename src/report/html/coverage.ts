import type { Coverage } from '../../contract/generated/results.ts';
import { countDocumented } from '../coverage.ts';
import { html, type Markup } from './markup.ts';

export function renderCoverage(coverage: readonly Coverage[]): Markup {
  const [met, documented] = countDocumented(coverage);
  const operations = [...Map.groupBy(coverage, ({ operation }) => operation)].map(([operation, rows]) => renderOperation(operation, rows));
  return html`<section class="resource"><header><h2>Coverage <small>${met} of ${documented} documented answers received</small></h2></header>
<div class="rules">${operations}</div></section>`;
}

function renderOperation(operation: string, rows: readonly Coverage[]): Markup {
  const [met, documented] = countDocumented(rows);
  const chips = rows.map((row) => html`<span class="answer ${row.met > 0 ? 'met' : 'never'}" title="${row.text}">${row.status}</span>`);
  return html`<details class="coverage"><summary><b>${operation}</b> <small>${met} of ${documented}</small><span>${chips}</span></summary>
<table><tr><th>Status</th><th>When</th><th>Received</th><th>What the client did next, or how to provoke the answer</th></tr>${rows.map(renderRow)}</table></details>`;
}

function renderRow({ status, rule, text, met, next = [], provoke }: Coverage): Markup {
  const how = provoke === undefined ? undefined : html`<code>${provoke}</code>`;
  const reactions = next.map((each) => html`<div>${each}</div>`);
  return html`<tr class="${met > 0 ? 'met' : 'never'}"><td class="status s${Math.floor(status / 100)}">${status}</td><td>${text}${rule === undefined ? undefined : html`<br><small><code>${rule}</code></small>`}</td><td class="value">${met > 0 ? `${met} ×` : 'never'}</td><td>${met > 0 ? reactions : how}</td></tr>`;
}
