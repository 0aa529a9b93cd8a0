import type { Results, RuleResult } from '../contract/generated/results.ts';
import { formatCoverageLines, listUnreceivedAnswers, summarizeCoverage } from './coverage.ts';
import { toPrintable } from './printable.ts';
import { describeMissing, type FailedCheck, getUnscoredTitle, listColumnNames, listRuleNotes, type RunView } from './run-view.ts';
import { formatTimeline } from './timeline.ts';
import { VERDICT_MARKS, VERDICT_WORDS } from './verdicts.ts';

export function formatMarkdownReport(run: RunView): string {
  const { target, coverage, suggestion, toolNoun } = run;
  const facts = [
    escapeMarkdown(target.baseUrl),
    run.startedAt,
    run.seconds,
    ...(run.forms === undefined ? [] : [run.forms]),
    ...run.facts.map(escapeMarkdown),
    `tested by experience-provider-kit ${run.kit}`,
  ];
  const formatFailures = (title: string, failures: readonly FailedCheck[], others: readonly string[] = []) =>
    failures.length + others.length === 0
      ? []
      : [`## ${title}`, ...failures.map((each) => formatFailure(each, target.kind)), ...others.map((text) => fenceCode(text))];
  const parts = [
    `# ${escapeMarkdown(run.title)}`,
    `${facts.join(', ')}.${run.interrupted ? ' **The run was interrupted.**' : ''}`,
    ...(run.incomplete === undefined ? [] : [`**The run is incomplete: ${escapeMarkdown(run.incomplete)}.**`]),
    formatTotals(run),
    ...(run.timeLimited === undefined ? [] : [run.timeLimited]),
    ...formatFailures('Failed', run.failed),
    ...formatFailures('Flaky', run.flaky),
    ...formatFailures(`Errors in the ${toolNoun} itself`, run.erroneous, run.errors),
    ...formatFailures(getUnscoredTitle(run), run.unscored),
    ...formatFailures('Advice, which never fails a run', run.advice),
    ...formatList(
      `## Missing ${run.missingNoun}`,
      run.missing.map(({ capability, rules, source }) => `\`${capability}\`: ${rules}; ${source}`),
    ),
    ...formatList(
      '## Observed decisions',
      run.observed.map(({ decision, text }) => `\`${decision}\`: ${escapeMarkdown(text)}`),
    ),
    ...formatList('## Not removed from the target', run.leftovers.map(escapeMarkdown)),
    ...formatList('## Notes', (run.notes ?? []).map(escapeMarkdown)),
    ...(coverage === undefined
      ? []
      : [
          `## ${summarizeCoverage(coverage)}`,
          fenceCode(formatCoverageLines(coverage).join('\n')),
          ...formatList(
            'Never met:',
            listUnreceivedAnswers(coverage).map(
              ({ answer, provoke }) => `${escapeMarkdown(answer)}${provoke === '' ? '' : ` \`${provoke}\``}`,
            ),
          ),
        ]),
    '## Every rule',
    run.possibleVerdicts.map((verdict) => `${VERDICT_MARKS[verdict]} ${VERDICT_WORDS[verdict]}`).join(', '),
    ...run.resources.map(([resource, group]) => formatResource(resource, group, run)),
    ...(suggestion ? [suggestion.sentence, suggestion.capabilities.map((each) => `- ${escapeMarkdown(each)}`).join('\n')] : []),
  ];
  return toPrintable(`${parts.join('\n\n')}\n`);
}

function formatTotals({ possibleVerdicts, totals: ofLevels }: RunView): string {
  const others = possibleVerdicts.filter((verdict) => verdict !== 'passed');
  const rows = ofLevels.map(
    ({ level, totals }) =>
      `| ${level} | **${totals.passed} of ${totals.inScope}** | ${others.map((verdict) => totals[verdict]).join(' | ')} |`,
  );
  const head = [
    `| rules | passed | ${others.map((verdict) => VERDICT_WORDS[verdict]).join(' | ')} |`,
    `|${' --- |'.repeat(others.length + 2)}`,
  ];
  return [...head, ...rows].join('\n');
}

function formatFailure({ rule, check, columns }: FailedCheck, kind: Results['target']['kind']): string {
  const where = [...listColumnNames(columns), ...listRuleNotes(rule)].join(', ');
  const timeline = formatTimeline(check, kind);
  const { message = '', traceId, curl } = check.failure ?? {};
  const facts = [
    `### \`${rule.id}\`${where === '' ? '' : ` (${where})`}`,
    `${escapeMarkdown(rule.text)} *${escapeMarkdown(rule.section)}*`,
    fenceCode(message),
    ...(timeline.length > 0 ? [escapeMarkdown(check.title), fenceCode(timeline.join('\n'))] : []),
    ...(traceId ? [`traceId \`${escapeMarkdown(traceId)}\``] : []),
    ...(curl ? [fenceCode(curl, 'sh')] : []),
  ];
  return facts.join('\n\n');
}

function formatResource(resource: string, rules: readonly RuleResult[], { columns }: RunView): string {
  const rows = rules.map((rule) => {
    const { id, text, cells } = rule;
    const notes = listRuleNotes(rule).join(', ');
    const why = describeMissing(rule);
    const marks = columns.map((column) => VERDICT_MARKS[cells[column]?.verdict ?? 'not-applicable']);
    return `| ${marks.join(' | ')} | \`${id}\` | ${escapeMarkdown(text)}${notes === '' ? '' : ` *(${notes})*`}${why ? ` *${escapeMarkdown(why)}*` : ''} |`;
  });
  const head = [`| ${columns.join(' | ')} | rule | |`, `|${' --- |'.repeat(columns.length + 2)}`];
  return [`<details><summary>${resource}</summary>`, '', ...head, ...rows, '', '</details>'].join('\n');
}

function formatList(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, items.map((item) => `- ${item}`).join('\n')];
}

/** The fence is longer than any run of backticks in the text. */
function fenceCode(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trim()}\n${fence}`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, '\\$&').replaceAll('\n', ' ');
}
