import { formatPlural } from '../../contract/format-plural.ts';
import type { MatrixRun, MatrixTarget, RuleChange } from '../matrix.ts';
import { listColumnNames } from '../run-view.ts';
import { hasFailed, type Totals } from '../totals.ts';
import { VERDICT_MARKS, VERDICT_WORDS, VERDICTS } from '../verdicts.ts';
import { MATRIX_STYLE, THEME_SCRIPT } from './assets.ts';
import { html, type Markup } from './markup.ts';
import { renderPage } from './page.ts';

export const formatMatrixPage = (targets: readonly MatrixTarget[]): string =>
  renderPage(
    {
      title: 'Conformance by version',
      eyebrow: 'Conformance to the Experience Provider Integration Service',
      heading: 'Which version broke what',
      ...{ style: MATRIX_STYLE, script: THEME_SCRIPT },
    },
    html`${targets.map(renderTarget)}`,
  );

function renderTarget({ name, resources, runs }: MatrixTarget, index: number): Markup {
  const prefix = `t${index}`;
  const rows = resources.map(
    (resource) =>
      html`<tr><th scope="row">${resource}</th>${runs.map((run) => renderCell(run.sections.get(resource), countIn(run.broken, resource), countIn(run.fixed, resource)))}</tr>`,
  );
  const changes = runs.map((run, at) => (run.previous === undefined ? undefined : renderChanges(run, `${prefix}-${at}`))).reverse();
  return html`<section class="resource"><header><h2>${name}</h2></header>
${renderHeadline(runs, prefix)}
<div class="matrix"><table><thead><tr><td></td>${runs.map((run, at) => html`<th scope="col">${run.previous === undefined ? run.version : html`<a href="#${prefix}-${at}">${run.version}</a>`}<small>${run.date}</small></th>`)}</tr></thead>
<tbody><tr class="trend"><th scope="row">Trend</th>${runs.map(({ totals }) => renderBar(totals))}</tr>
<tr class="all"><th scope="row">All rules</th>${runs.map((run) => renderCell(run.totals, run.broken.length, run.fixed.length))}</tr>${rows}</tbody></table></div>
<p class="legend">${VERDICTS.filter((verdict) => runs.some(({ totals }) => totals[verdict] > 0)).map((verdict) => html`<span><span class="dot ${verdict}"></span>${VERDICT_WORDS[verdict]}</span>`)}<span>12/13: 12 of 13 rules passed</span><span><b class="down">▼2</b> 2 rules broke in this version</span><span><b class="up">▲1</b> 1 rule was fixed</span></p>
${changes}</section>`;
}

const countIn = (changes: readonly RuleChange[], wanted: string): number => changes.filter(({ resource }) => resource === wanted).length;

function renderHeadline(runs: readonly MatrixRun[], prefix: string): Markup {
  const last = runs.at(-1)!;
  const breaches = runs.flatMap(({ version, previous, broken }, at) =>
    broken.length === 0
      ? []
      : html`<li><a href="#${prefix}-${at}"><b>${version}</b> broke ${formatPlural(broken.length, 'rule')}</a> that passed in ${previous}: ${listBroken(broken)}${formatFix(broken, runs.slice(at + 1))}</li>`,
  );
  const state = last.succeeded ? 'breaks no documented rule' : 'does not conform';
  const { passed, failed, inScope } = last.totals;
  const sentence = `${last.version}, the newest version, ${state}: ${passed} of ${formatPlural(inScope, 'rule')} passed, ${failed} failed.`;
  const list = breaches.length > 0 ? html`<ul>${breaches.reverse()}</ul>` : undefined;
  return html`<div class="headline ${last.succeeded ? 'passed' : 'failed'}">${sentence}${runs.length > 1 && !list ? ' No version broke a rule.' : undefined}${list}</div>`;
}

/** Names the version that fixed all of the broken rules, if there is one. */
function formatFix(broken: readonly RuleChange[], later: readonly MatrixRun[]): string | undefined {
  const open = new Set(broken.map(({ rule }) => rule));
  const fix = later.find(({ fixed }) => {
    for (const { rule } of fixed) open.delete(rule);
    return open.size === 0;
  });
  return fix && ` (fixed in ${fix.version})`;
}

/** In the headline, more rules are counted by resource. */
const MAX_NAMED = 4;

function listBroken(changes: readonly RuleChange[]): string | Markup[] {
  if (changes.length <= MAX_NAMED) return changes.map(({ rule }, index) => html`${index > 0 ? ', ' : undefined}<code>${rule}</code>`);
  const groups = [...Map.groupBy(changes, ({ resource }) => resource)];
  return groups.map(([resource, group]) => (group.length === 1 ? resource : `${resource} (${group.length})`)).join(', ');
}

function renderCell(totals: Totals | undefined, broken: number, fixed: number): Markup {
  if (totals === undefined || totals.inScope === 0) return html`<td class="cell not-applicable">–</td>`;
  const worst = VERDICTS.find((verdict) => totals[verdict] > 0 && verdict !== 'passed' && verdict !== 'not-applicable') ?? 'passed';
  const details = VERDICTS.filter((verdict) => totals[verdict] > 0).map((verdict) => `${totals[verdict]} ${VERDICT_WORDS[verdict]}`);
  return html`<td class="cell ${worst}${broken > 0 ? ' broke' : ''}" title="${details.join(', ')}"><b>${totals.passed}</b>/${totals.inScope}${broken > 0 ? html` <b class="down">▼${broken}</b>` : undefined}${fixed > 0 ? html` <b class="up">▲${fixed}</b>` : undefined}</td>`;
}

function renderBar(totals: Totals): Markup {
  const present = VERDICTS.filter((verdict) => verdict !== 'not-applicable' && totals[verdict] > 0);
  const percent = totals.inScope === 0 ? 0 : Math.floor((100 * totals.passed) / totals.inScope);
  return html`<td><span class="column">${present.map((verdict) => html`<i class="${verdict}" style="flex:${totals[verdict]}"></i>`)}</span><small>${percent} %</small></td>`;
}

/** The changes of more rules are not opened. */
const MAX_OPENED = 30;

function renderChanges({ version, previous, broken, fixed, other }: MatrixRun, id: string): Markup {
  const counts = [
    broken.length > 0 && `broke ${formatPlural(broken.length, 'rule')}`,
    fixed.length > 0 && `fixed ${formatPlural(fixed.length, 'rule')}`,
    other.length > 0 && `other changes: ${other.length}`,
  ].filter((text) => text !== false);
  const opened = broken.length > 0 && broken.length <= MAX_OPENED ? html` open` : undefined;
  const groups = Object.entries({ Broken: broken, Fixed: fixed, 'Other changes': other });
  return html`<details class="rule changes" id="${id}"${opened}><summary><span class="sentence"><b>${version}</b> after ${previous}: ${counts.length === 0 ? 'no verdict changed' : counts.join(', ')}</span></summary>
<div class="inside">${groups.map(([title, changes]) => (changes.length === 0 ? undefined : html`<h4>${title}</h4><ul class="checks">${changes.map(renderChange)}</ul>`))}</div></details>`;
}

function renderChange({ rule, text, before, after, columns, level, message }: RuleChange): Markup {
  const notes = [...listColumnNames(columns), ...(level === 'documented' ? [] : [level])].join(', ');
  const shown = hasFailed({ verdict: after }) ? message?.split('\n').slice(0, 2).join(' ') : undefined;
  return html`<li><div class="check">${renderMark(before)}→${renderMark(after)}<span>${text} <small>${notes}</small>${shown === undefined ? undefined : html`<br><small>${shown}</small>`}</span><code>${rule}</code></div></li>`;
}

function renderMark(verdict: RuleChange['before']): Markup {
  if (verdict === 'none') return html`<span class="mark not-applicable" title="not tested"> </span>`;
  return html`<span class="mark ${verdict}" title="${VERDICT_WORDS[verdict]}">${VERDICT_MARKS[verdict]}</span>`;
}
