import type { RuleResult, Verdict } from '../contract/generated/results.ts';
import { SCRIPT } from './html/assets.ts';
import { renderCoverage } from './html/coverage.ts';
import { html, type Markup } from './html/markup.ts';
import { renderPage } from './html/page.ts';
import { renderRule } from './html/rule.ts';
import { listColumnNames, type RunView } from './run-view.ts';
import { hasFailed, isBroken, isScored } from './totals.ts';
import { getVerdictWord, VERDICT_WORDS, VERDICTS } from './verdicts.ts';

/** The maximum number of failures in the headline, so that the headline fits on the first screen. */
const MAX_FAILURES = 8;

export function formatHtmlReport(run: RunView): string {
  const { target, startedAt, rules } = run;
  const name = target.name ?? target.baseUrl;
  const opened = rules.filter(hasFailed).length <= MAX_FAILURES;
  const meta = html`
<p class="meta">${target.name === undefined ? undefined : `${target.baseUrl}, `}<time datetime="${startedAt}">${startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>, ${run.seconds}, ${[run.forms, ...run.facts].flatMap((fact) => (fact === undefined ? [] : `${fact}, `))}experience-provider-kit ${run.kit}</p>`;
  const content = html`${renderHeadline(run)}
<div class="cards">${run.totals.map(renderCard)}</div>
${renderOverview(run)}
<div class="filter"><input type="search" id="search" placeholder="Filter by rule, sentence or section" aria-label="Filter by text">
${VERDICTS.map((verdict) => renderVerdictButton(rules, verdict))}<span class="gap"></span>
${run.totals.map(({ level }) => html`<button type="button" data-filter="level" value="${level}" aria-pressed="false">${level}</button>`)}</div>
${run.resources.map(([resource, group]) => renderResource(resource, group, run, opened))}
<p class="nothing" hidden>No rule matches the filter.</p>
${run.coverage && renderCoverage(run.coverage)}${renderMissing(run)}${renderObservations(run)}${renderList('Notes', run.notes ?? [])}${renderList('Errors outside checks', run.errors)}${renderList('Not removed from the target', run.leftovers)}`;
  return renderPage({ title: run.title, eyebrow: describeReportKind(run), heading: name, meta, script: SCRIPT }, content);
}

function describeReportKind({ target: { kind } }: RunView): string {
  if (kind === 'webhook') return 'Check of a webhook endpoint against the Experience Provider Integration Service';
  return kind === 'client'
    ? 'Check of a client of the Experience Provider Integration Service'
    : 'Conformance to the Experience Provider Integration Service';
}

function renderHeadline({ rules, conclusion: { kind, text } }: RunView): Markup {
  const failed = rules.filter((rule) => isBroken(rule) && isScored(rule) && rule.level !== 'advice');
  const links = failed
    .slice(0, MAX_FAILURES)
    .map(
      ({ id, text: sentence, level, verdict }) =>
        html`<li><a href="#${id}">${sentence}</a>${level === 'documented' ? undefined : html` <span class="chip">${level}</span>`}${verdict === 'flaky' ? html` <span class="chip">flaky</span>` : undefined}</li>`,
    );
  const rest = failed.length > MAX_FAILURES ? html`<li>and ${failed.length - MAX_FAILURES} more</li>` : undefined;
  const list = failed.length === 0 ? undefined : html`<ul>${links}${rest}</ul>`;
  return html`<div class="headline ${kind}">${text}${list}</div>`;
}

function renderCard({ level, totals }: RunView['totals'][number]): Markup {
  const present = VERDICTS.filter((verdict) => totals[verdict] > 0);
  return html`<div class="card ${level}"><b>${totals.passed} of ${totals.inScope}</b> <span>${level === 'advice' ? 'advice followed' : `${level} rules passed`}</span>
<div class="bar">${present.map((verdict) => html`<i class="${verdict}" style="flex:${totals[verdict]}" title="${totals[verdict]} ${getVerdictWord(verdict, level)}"></i>`)}</div>
<div class="legend">${present.map((verdict) => html`<span><span class="dot ${verdict}"></span>${totals[verdict]} ${getVerdictWord(verdict, level)}</span>`)}</div><p><small>${LEVEL_DESCRIPTIONS[level]}</small></p></div>`;
}

const LEVEL_DESCRIPTIONS: Readonly<Record<RuleResult['level'], string>> = {
  documented: 'rules that the specification states',
  implied: 'rules that follow from a range, a table or a cited RFC; they fail a target only in a strict run',
  advice: 'good practice, which never fails a run',
};

function renderVerdictButton(rules: readonly RuleResult[], verdict: Verdict): Markup | undefined {
  const count = rules.filter(({ cells }) => Object.values(cells).some((cell) => cell.verdict === verdict)).length;
  if (count === 0) return undefined;
  return html`<button type="button" class="${verdict}" data-filter="verdict" value="${verdict}" aria-pressed="false"><span class="dot ${verdict}"></span>${VERDICT_WORDS[verdict]} <span>${count}</span></button>`;
}

function renderResource(resource: string, rules: readonly RuleResult[], run: RunView, opened: boolean): Markup {
  const passed = rules.filter(({ verdict }) => verdict === 'passed').length;
  return html`<section class="resource" data-rules><header><h2>${resource} <small>${passed} of ${rules.filter(({ verdict }) => verdict !== 'not-applicable').length}</small></h2><span class="forms">${run.columnNames.join(' · ')}</span></header>
<div class="rules">${rules.map((rule) => renderRule(rule, run, opened))}</div></section>`;
}

function renderMissing({ missing, missingNoun, suggestion, forms }: RunView): Markup | undefined {
  if (missing.length === 0) return undefined;
  const rows = missing.map(
    ({ capability, source, rules }) =>
      html`<tr><td><code>${capability}</code></td><td>${source}</td><td>${rules}</td><td><button type="button" data-search="${capability}">Show</button></td></tr>`,
  );
  const first = suggestion && html`<p>${suggestion.sentence} ${suggestion.capabilities.join('; ')}</p>`;
  return html`<section class="resource"><header><h2>Missing ${missingNoun}</h2></header>${first}<div class="rules"><table><tr><th>${forms === undefined ? 'Option' : 'Capability'}</th><th>Provided by</th><th>Needed by</th><th></th></tr>${rows}</table></div></section>`;
}

function renderObservations({ observed }: RunView): Markup | undefined {
  if (observed.length === 0) return undefined;
  const rows = observed.map(
    ({ decision, value, forms, known, text }) =>
      html`<tr><td>${known?.question ?? decision}<br><small><code>${decision}</code>${known ? `, ${known.section}` : undefined}</small></td><td class="value"><b>${text}</b></td><td>${known?.means[String(value)]} <small>${forms.join(', ')}</small></td></tr>`,
  );
  return html`<section class="resource"><header><h2>Observed decisions <small>the specification leaves these points open, so no value is a failure</small></h2></header><div class="rules"><table><tr><th>Open point</th><th>Observed</th><th>Meaning</th></tr>${rows}</table></div></section>`;
}

function renderList(title: string, items: readonly string[]): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<section class="resource"><header><h2>${title}</h2></header>${items.map((item) => html`<pre>${item}</pre>`)}</section>`;
}

function renderOverview({ resources, columns, isTolerated }: RunView): Markup {
  const rows = resources.flatMap(([resource, group]) =>
    columns.map((column, index) => {
      const squares = group.map(({ id, text, level, cells }) => {
        const verdict = cells[column]?.verdict ?? 'not-applicable';
        const known = isTolerated(id, column);
        return html`<a href="#${id}" class="${verdict} ${level}${known ? ' known' : ''}" title="${getVerdictWord(verdict, level)}: ${text}" aria-label="${id}, ${column}: ${getVerdictWord(verdict, level)}"></a>`;
      });
      const first = index === 0 ? ' first' : '';
      return html`${index === 0 ? html`<b class="first">${resource}</b>` : undefined}<span class="form${first}">${listColumnNames([column])}</span><div class="row${first}">${squares}</div>`;
    }),
  );
  return html`<div class="overview">${rows}</div>`;
}
