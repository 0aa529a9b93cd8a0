import type { DecisionId } from '../contract/generated/decisions.ts';
import { type Decision, decisions } from '../contract/generated/decisions-table.ts';
import type { Observation, Results, RuleResult, Verdict } from '../contract/generated/results.ts';
import { formatObservedValue } from './decisions-file.ts';
import { SCRIPT, STYLE } from './html/assets.ts';
import { renderCoverage } from './html/coverage.ts';
import { html, Markup } from './html/markup.ts';
import { renderRule } from './html/rule.ts';
import { addProfileMember, describeProfileMember } from './profile-members.ts';
import {
  countMissingCapabilities,
  createTitle,
  formatSeconds,
  getVerdictWord,
  groupByResource,
  listColumnNames,
  listLevels,
  suggestCapabilities,
  VERDICT_WORDS,
  VERDICTS,
} from './summary.ts';
import { concludeRun, countTotals } from './totals.ts';

interface HtmlReportOptions {
  readonly results: Results;
  readonly failureReasons: readonly string[];
  /** The tolerated failures, such as `users.get.shape flat` for the rule `users.get.shape` with flat paths. */
  readonly tolerated?: ReadonlySet<string>;
}

/** The maximum number of failures in the headline, so that the headline fits on the first screen. */
const MAX_FAILURES = 8;

/** Returns a single HTML page. It needs no network, and is readable without scripts. */
export function formatHtmlReport({ results, failureReasons, tolerated = new Set() }: HtmlReportOptions): string {
  const { target, startedAt, durationMs, columns, rules, kit } = results;
  const name = target.name ?? target.baseUrl;
  const opened = rules.filter(({ verdict }) => verdict === 'failed' || verdict === 'error').length <= MAX_FAILURES;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${createTitle(results)}</title><style>${new Markup(STYLE)}</style></head>
<body><main>
<header><div><p class="eyebrow">${describeReportKind(results)}</p><h1>${name}</h1>
<p class="meta">${target.name === undefined ? undefined : `${target.baseUrl}, `}<time datetime="${startedAt}">${startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>, ${formatSeconds(durationMs)}, ${listColumnNames(columns).length === 0 ? undefined : `${columns.join(' and ')} paths, `}experience-provider-kit ${kit}</p></div>
<button type="button" id="theme">Light / dark</button></header>
${renderHeadline(results, failureReasons, tolerated)}
<div class="cards">${listLevels(results).map((level) => renderCard(rules, level))}</div>
${renderOverview(results, tolerated)}
<div class="filter"><input type="search" id="search" placeholder="Filter by rule, sentence or section" aria-label="Filter by text">
${VERDICTS.map((verdict) => renderVerdictButton(rules, verdict))}<span class="gap"></span>
${listLevels(results).map((level) => html`<button type="button" data-filter="level" value="${level}" aria-pressed="false">${level}</button>`)}</div>
${[...groupByResource(rules)].map(([resource, group]) => renderResource(resource, group, results, tolerated, opened))}
<p class="nothing" hidden>No rule matches the filter.</p>
${results.coverage && renderCoverage(results.coverage)}${renderMissing(results)}${renderObservations(results.observations)}${renderList('Notes', results.notes ?? [])}${renderList('Errors outside checks', results.errors)}${renderList('Not removed from the target', results.leftovers)}
</main><script>${new Markup(SCRIPT)}</script></body></html>
`;
  return page.text;
}

function describeReportKind({ target: { kind } }: Results): string {
  if (kind === 'webhook') return 'Check of a webhook endpoint against the Experience Provider Integration Service';
  return kind === 'client'
    ? 'Check of a client of the Experience Provider Integration Service'
    : 'Conformance to the Experience Provider Integration Service';
}

function renderHeadline(results: Results, failureReasons: readonly string[], tolerated: ReadonlySet<string>): Markup {
  const failed = results.rules.filter(({ level, verdict }) => verdict === 'failed' && level !== 'advice');
  const links = failed
    .slice(0, MAX_FAILURES)
    .map(
      ({ id, text, level }) =>
        html`<li><a href="#${id}">${text}</a>${level === 'documented' ? undefined : html` <span class="chip">${level}</span>`}</li>`,
    );
  const rest = failed.length > MAX_FAILURES ? html`<li>and ${failed.length - MAX_FAILURES} more</li>` : undefined;
  const list = failed.length === 0 ? undefined : html`<ul>${links}${rest}</ul>`;
  const { kind, text } = concludeRun(results, failureReasons, tolerated);
  return html`<div class="headline ${kind}">${text}${list}</div>`;
}

function renderCard(rules: readonly RuleResult[], level: RuleResult['level']): Markup {
  const totals = countTotals(rules, level);
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

function renderResource(
  resource: string,
  rules: readonly RuleResult[],
  { columns, target }: Results,
  tolerated: ReadonlySet<string>,
  opened: boolean,
): Markup {
  const passed = rules.filter(({ verdict }) => verdict === 'passed').length;
  return html`<section class="resource" data-rules><header><h2>${resource} <small>${passed} of ${rules.filter(({ verdict }) => verdict !== 'not-applicable').length}</small></h2><span class="forms">${listColumnNames(columns).join(' · ')}</span></header>
<div class="rules">${rules.map((rule) => renderRule(rule, { columns, kind: target.kind }, tolerated, opened))}</div></section>`;
}

function renderMissing(results: Results): Markup | undefined {
  const missing = countMissingCapabilities(results);
  if (missing.length === 0) return undefined;
  const rows = missing.map(
    ([capability, count]) =>
      html`<tr><td><code>${capability}</code></td><td>${describeProfileMember(capability)}</td><td>${count} ${count === 1 ? 'rule' : 'rules'}</td><td><button type="button" data-search="${capability}">Show</button></td></tr>`,
  );
  const advice = suggestCapabilities(results);
  const first = advice && html`<p>${advice.sentence} ${advice.capabilities.map(addProfileMember).join('; ')}</p>`;
  return html`<section class="resource"><header><h2>Missing ${results.columns.includes('integration') ? 'options' : 'capabilities'}</h2></header>${first}<div class="rules"><table><tr><th>${results.columns.includes('integration') ? 'Option' : 'Capability'}</th><th>Provided by</th><th>Needed by</th><th></th></tr>${rows}</table></div></section>`;
}

function renderObservations(observations: readonly Observation[]): Markup | undefined {
  if (observations.length === 0) return undefined;
  const rows = observations.map((seen) => {
    const { decision, value, forms } = seen;
    const known: Decision | undefined = decisions[decision as DecisionId];
    return html`<tr><td>${known?.question ?? decision}<br><small><code>${decision}</code>${known ? `, ${known.section}` : undefined}</small></td><td class="value"><b>${formatObservedValue(seen)}</b></td><td>${known?.means[String(value)]} <small>${forms.join(', ')}</small></td></tr>`;
  });
  return html`<section class="resource"><header><h2>Observed decisions <small>the specification leaves these points open, so no value is a failure</small></h2></header><div class="rules"><table><tr><th>Open point</th><th>Observed</th><th>Meaning</th></tr>${rows}</table></div></section>`;
}

function renderList(title: string, items: readonly string[]): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<section class="resource"><header><h2>${title}</h2></header>${items.map((item) => html`<pre>${item}</pre>`)}</section>`;
}

function renderOverview({ rules, columns }: Results, tolerated: ReadonlySet<string>): Markup {
  const rows = [...groupByResource(rules)].flatMap(([resource, group]) =>
    columns.map((column, index) => {
      const squares = group.map(({ id, text, level, cells }) => {
        const verdict = cells[column]?.verdict ?? 'not-applicable';
        const known = tolerated.has(`${id} ${column}`);
        return html`<a href="#${id}" class="${verdict} ${level}${known ? ' known' : ''}" title="${getVerdictWord(verdict, level)}: ${text}" aria-label="${id}, ${column}: ${getVerdictWord(verdict, level)}"></a>`;
      });
      const first = index === 0 ? ' first' : '';
      return html`${index === 0 ? html`<b class="first">${resource}</b>` : undefined}<span class="form${first}">${listColumnNames([column])}</span><div class="row${first}">${squares}</div>`;
    }),
  );
  return html`<div class="overview">${rows}</div>`;
}
