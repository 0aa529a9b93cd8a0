import type { Results, RuleResult } from '../contract/generated/results.ts';
import { formatCoverageLines, listUnreceivedAnswers, summarizeCoverage } from './coverage.ts';
import { formatObservedValue } from './decisions-file.ts';
import { toPrintable } from './printable.ts';
import { addProfileMember, describeProfileMember } from './profile-members.ts';
import {
  countMissingCapabilities,
  createTitle,
  describeMissing,
  type FailedCheck,
  formatSeconds,
  getCheckOrSuiteNoun,
  groupByResource,
  listColumnNames,
  listFailedChecks,
  listLevels,
  listPossibleVerdicts,
  suggestCapabilities,
  summarizeTimeLimitedRules,
  VERDICT_MARKS,
  VERDICT_WORDS,
} from './summary.ts';
import { formatTimeline } from './timeline.ts';
import { countTotals } from './totals.ts';

export function formatMarkdownReport(results: Results): string {
  const { target, startedAt, durationMs, columns, coverage } = results;
  const [broken, errors] = [listFailedChecks(results, 'failed'), listFailedChecks(results, 'error')];
  const [failed, advice] = [broken.filter(({ rule }) => rule.level !== 'advice'), broken.filter(({ rule }) => rule.level === 'advice')];
  const first = suggestCapabilities(results);
  const forms = listColumnNames(columns).length === 0 ? [] : [`${columns.join(' and ')} paths`];
  const facts = [
    escapeMarkdown(target.baseUrl),
    startedAt,
    formatSeconds(durationMs),
    ...forms,
    `tested by experience-provider-kit ${results.kit}`,
  ];
  const parts = [
    `# ${escapeMarkdown(createTitle(results))}`,
    `${facts.join(', ')}.${results.interrupted ? ' **The run was interrupted.**' : ''}`,
    ...(results.incomplete === undefined ? [] : [`**The run is incomplete: ${escapeMarkdown(results.incomplete)}.**`]),
    formatTotals(results),
    ...[summarizeTimeLimitedRules(results)].filter((line) => line !== undefined),
    ...(failed.length > 0 ? ['## Failed', ...failed.map((each) => formatFailure(each, target.kind))] : []),
    ...(errors.length + results.errors.length > 0
      ? [
          `## Errors in ${getCheckOrSuiteNoun(results)} itself`,
          ...errors.map((each) => formatFailure(each, target.kind)),
          ...results.errors.map((error) => fenceCode(error)),
        ]
      : []),
    ...(advice.length > 0 ? ['## Advice, which never fails a run', ...advice.map((each) => formatFailure(each, target.kind))] : []),
    ...formatList(
      columns.includes('integration') ? '## Missing options' : '## Missing capabilities',
      countMissingCapabilities(results).map(
        ([capability, count]) => `\`${capability}\`: ${count} ${count === 1 ? 'rule' : 'rules'}; ${describeProfileMember(capability)}`,
      ),
    ),
    ...formatList(
      '## Observed decisions',
      results.observations.map((seen) => `\`${seen.decision}\`: ${escapeMarkdown(formatObservedValue(seen))}`),
    ),
    ...formatList('## Not removed from the target', results.leftovers.map(escapeMarkdown)),
    ...formatList('## Notes', (results.notes ?? []).map(escapeMarkdown)),
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
    listPossibleVerdicts(results)
      .map((verdict) => `${VERDICT_MARKS[verdict]} ${VERDICT_WORDS[verdict]}`)
      .join(', '),
    ...[...groupByResource(results.rules)].map(([resource, group]) => formatResource(resource, group, results)),
    ...(first ? [first.sentence, first.capabilities.map((each) => `- ${escapeMarkdown(addProfileMember(each))}`).join('\n')] : []),
  ];
  return toPrintable(`${parts.join('\n\n')}\n`);
}

function formatTotals(results: Results): string {
  const others = listPossibleVerdicts(results).filter((verdict) => verdict !== 'passed');
  const rows = listLevels(results).map((level) => {
    const totals = countTotals(results.rules, level);
    return `| ${level} | **${totals.passed} of ${totals.inScope}** | ${others.map((verdict) => totals[verdict]).join(' | ')} |`;
  });
  const head = [
    `| rules | passed | ${others.map((verdict) => VERDICT_WORDS[verdict]).join(' | ')} |`,
    `|${' --- |'.repeat(others.length + 2)}`,
  ];
  return [...head, ...rows].join('\n');
}

function formatFailure({ rule, check, columns }: FailedCheck, kind: Results['target']['kind']): string {
  const where = [...listColumnNames(columns), ...(rule.level === 'documented' ? [] : [rule.level])].join(', ');
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

function formatResource(resource: string, rules: readonly RuleResult[], { columns }: Results): string {
  const rows = rules.map((rule) => {
    const { id, level, text, cells } = rule;
    const why = describeMissing(rule);
    const marks = columns.map((column) => VERDICT_MARKS[cells[column]?.verdict ?? 'not-applicable']);
    return `| ${marks.join(' | ')} | \`${id}\` | ${escapeMarkdown(text)}${level === 'documented' ? '' : ` *(${level})*`}${why ? ` *${escapeMarkdown(why)}*` : ''} |`;
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
