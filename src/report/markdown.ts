import type { Results, RuleResult } from '../contract/generated/results.ts';
import { coverageLines, coverageSummary, neverMet } from './coverage.ts';
import { shownValue } from './decisions-file.ts';
import { profileMemberOf, withProfileMember } from './profile-members.ts';
import {
  addFirst,
  boundedSummary,
  byResource,
  columnNames,
  type FailedCheck,
  failedChecks,
  levelsOf,
  MARKS,
  missingCapabilities,
  missingInPart,
  seconds,
  testerOf,
  titleOf,
  verdictsOf,
  WORDS,
} from './summary.ts';
import { timelineLines } from './timeline.ts';
import { totalsOf } from './totals.ts';

/** Writes a Markdown page for a pull request or a wiki. The page contains totals, failures, and collapsed tables of all rules. */
export function markdownReport(results: Results): string {
  const { target, startedAt, durationMs, columns, coverage } = results;
  const [broken, errors] = [failedChecks(results, 'failed'), failedChecks(results, 'error')];
  const [failed, advice] = [broken.filter(({ rule }) => rule.level !== 'advice'), broken.filter(({ rule }) => rule.level === 'advice')];
  const first = addFirst(results);
  const forms = columnNames(columns).length === 0 ? [] : [`${columns.join(' and ')} paths`];
  const facts = [escaped(target.baseUrl), startedAt, seconds(durationMs), ...forms, `tested by experience-provider-kit ${results.kit}`];
  const parts = [
    `# ${escaped(titleOf(results))}`,
    `${facts.join(', ')}.${results.interrupted ? ' **The run was interrupted.**' : ''}`,
    ...(results.incomplete === undefined ? [] : [`**The run is incomplete: ${escaped(results.incomplete)}.**`]),
    totalsTable(results),
    ...[boundedSummary(results)].filter((line) => line !== undefined),
    ...(failed.length > 0 ? ['## Failed', ...failed.map((each) => failure(each, target.kind))] : []),
    ...(errors.length + results.errors.length > 0
      ? [
          `## Errors of ${testerOf(results)} itself`,
          ...errors.map((each) => failure(each, target.kind)),
          ...results.errors.map((error) => fenced(error)),
        ]
      : []),
    ...(advice.length > 0 ? ['## Advice, which never fails a run', ...advice.map((each) => failure(each, target.kind))] : []),
    ...list(
      columns.includes('integration') ? '## Missing options' : '## Missing capabilities',
      missingCapabilities(results).map(
        ([capability, count]) => `\`${capability}\`: ${count} ${count === 1 ? 'rule' : 'rules'}; ${profileMemberOf(capability)}`,
      ),
    ),
    ...list(
      '## Observed decisions',
      results.observations.map((seen) => `\`${seen.decision}\`: ${escaped(shownValue(seen))}`),
    ),
    ...list('## Not removed from the target', results.leftovers.map(escaped)),
    ...list('## Notes', (results.notes ?? []).map(escaped)),
    ...(coverage === undefined
      ? []
      : [
          `## ${coverageSummary(coverage)}`,
          fenced(coverageLines(coverage).join('\n')),
          ...list(
            'Never met:',
            neverMet(coverage).map(({ answer, provoke }) => `${escaped(answer)}${provoke === '' ? '' : ` \`${provoke}\``}`),
          ),
        ]),
    '## Every rule',
    verdictsOf(results)
      .map((verdict) => `${MARKS[verdict]} ${WORDS[verdict]}`)
      .join(', '),
    ...[...byResource(results.rules)].map(([resource, group]) => resourceTable(resource, group, results)),
    ...(first ? [first.sentence, first.capabilities.map((each) => `- ${escaped(withProfileMember(each))}`).join('\n')] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function totalsTable(results: Results): string {
  const others = verdictsOf(results).filter((verdict) => verdict !== 'passed');
  const rows = levelsOf(results).map((level) => {
    const totals = totalsOf(results.rules, level);
    return `| ${level} | **${totals.passed} of ${totals.inScope}** | ${others.map((verdict) => totals[verdict]).join(' | ')} |`;
  });
  const head = [`| rules | passed | ${others.map((verdict) => WORDS[verdict]).join(' | ')} |`, `|${' --- |'.repeat(others.length + 2)}`];
  return [...head, ...rows].join('\n');
}

function failure({ rule, check, columns }: FailedCheck, kind: Results['target']['kind']): string {
  const where = [...columnNames(columns), ...(rule.level === 'documented' ? [] : [rule.level])].join(', ');
  const timeline = timelineLines(check, kind);
  const { message = '', traceId, curl } = check.failure ?? {};
  const facts = [
    `### \`${rule.id}\`${where === '' ? '' : ` (${where})`}`,
    `${escaped(rule.text)} *${escaped(rule.section)}*`,
    fenced(message),
    ...(timeline.length > 0 ? [escaped(check.title), fenced(timeline.join('\n'))] : []),
    ...(traceId ? [`traceId \`${escaped(traceId)}\``] : []),
    ...(curl ? [fenced(curl, 'sh')] : []),
  ];
  return facts.join('\n\n');
}

function resourceTable(resource: string, rules: readonly RuleResult[], { columns }: Results): string {
  const rows = rules.map((rule) => {
    const { id, level, text, cells } = rule;
    const why = missingInPart(rule);
    const marks = columns.map((column) => MARKS[cells[column]?.verdict ?? 'not-applicable']);
    return `| ${marks.join(' | ')} | \`${id}\` | ${escaped(text)}${level === 'documented' ? '' : ` *(${level})*`}${why ? ` *${escaped(why)}*` : ''} |`;
  });
  const head = [`| ${columns.join(' | ')} | rule | |`, `|${' --- |'.repeat(columns.length + 2)}`];
  return [`<details><summary>${resource}</summary>`, '', ...head, ...rows, '', '</details>'].join('\n');
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, items.map((item) => `- ${item}`).join('\n')];
}

/**
 * Puts a text into a fenced code block. The fence has more backticks than any sequence of backticks in the text, so that a text from the
 * target cannot end the block.
 */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trim()}\n${fence}`;
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|]/g, '\\$&').replaceAll('\n', ' ');
}
