import type { Results, RuleResult } from '../contract/generated/results.ts';
import { formatCoverageLines, summarizeCoverage } from './coverage.ts';
import { formatObservedValue } from './decisions-file.ts';
import { colourText as colourAnyText } from './printable.ts';
import { addProfileMember, describeProfileMember } from './profile-members.ts';
import {
  countMissingCapabilities,
  countOtherReasons,
  createTitle,
  describeMissing,
  type FailedCheck,
  formatSeconds,
  getCheckOrSuiteNoun,
  getVerdictWord,
  groupByResource,
  listColumnNames,
  listFailedChecks,
  listLevels,
  suggestCapabilities,
  summarizeTimeLimitedRules,
  VERDICT_MARKS,
  VERDICTS,
} from './summary.ts';
import { formatTimeline } from './timeline.ts';
import { concludeRun, countTotals } from './totals.ts';

const VERDICT_COLOURS = {
  passed: 'green',
  failed: 'red',
  error: 'magenta',
  'partly-tested': 'cyan',
  'not-testable': 'yellow',
  'not-exercised': 'yellow',
  'not-applicable': 'gray',
} as const;

const MAX_REASONS = 6;

interface SummaryOptions {
  readonly results: Results;
  readonly colour: boolean;
  readonly failureReasons: readonly string[];
  readonly tolerated?: ReadonlySet<string>;
  /** Extra lines, such as stale baseline entries. */
  readonly notes?: readonly string[];
}

export function formatTerminalSummary({ results, colour, failureReasons, tolerated = new Set(), notes = [] }: SummaryOptions): string {
  const colourText = (format: Parameters<typeof colourAnyText>[0], text: string) =>
    colour ? colourAnyText(format, text, { validateStream: false }) : text;
  const { rules, columns, target } = results;
  const formatHeading = (text: string) => colourText('bold', text);

  const lines = [
    '',
    formatHeading(createTitle(results)) +
      colourText('gray', listColumnNames(columns).length === 0 ? '' : `  ${columns.map((form) => `${form} paths`).join(', ')}`),
  ];
  for (const [resource, group] of groupByResource(rules)) lines.push('', formatHeading(resource), ...group.flatMap(formatRule));

  const [broken, errors] = [listFailedChecks(results, 'failed'), listFailedChecks(results, 'error')];
  const failed = broken.filter(({ rule }) => rule.level !== 'advice');
  const advice = broken.filter(({ rule }) => rule.level === 'advice');
  if (failed.length > 0) lines.push('', formatHeading(colourText('red', 'Failed')), ...failed.flatMap(formatFailure));
  if (errors.length + results.errors.length > 0) {
    lines.push(
      '',
      formatHeading(colourText('magenta', `Errors in ${getCheckOrSuiteNoun(results)} itself: these rules were not tested`)),
      ...errors.flatMap(formatFailure),
    );
    lines.push(...results.errors.flatMap((error) => ['', indent(error)]));
  }
  if (advice.length > 0) lines.push('', formatHeading('Advice, which never fails a run'), ...advice.flatMap(formatFailure));
  const missing = countMissingCapabilities(results);
  if (missing.length > 0) {
    lines.push(
      '',
      formatHeading(`Not fully tested: missing ${columns.includes('integration') ? 'options' : 'capabilities'}`),
      ...missing.map(
        ([capability, count]) =>
          `  ${capability.padEnd(28)} ${formatRuleCount(count).padEnd(10)} ${colourText('gray', describeProfileMember(capability))}`,
      ),
    );
  }
  const reasons = countOtherReasons(results);
  if (reasons.length > 0) {
    lines.push('', formatHeading('Not fully tested: other reasons'));
    lines.push(
      ...reasons
        .slice(0, MAX_REASONS)
        .flatMap(([reason, count]) => [`  ${formatRuleCount(count)}`, indent(shortenMessage(reason), '    ')]),
    );
    if (reasons.length > MAX_REASONS) lines.push(`  ${reasons.length - MAX_REASONS} more are in the other reports`);
  }
  if (results.observations.length > 0) {
    lines.push('', formatHeading('Observed decisions, which the specification leaves open'));
    lines.push(...results.observations.map((seen) => indent(`${seen.decision.padEnd(44)} ${formatObservedValue(seen)}`)));
  }
  if (results.leftovers.length > 0)
    lines.push('', formatHeading('Not removed from the target'), ...results.leftovers.map((line) => indent(line)));
  if (results.notes !== undefined) lines.push('', formatHeading('Notes'), ...results.notes.map((note) => indent(note)));
  if (results.coverage !== undefined) {
    lines.push('', formatHeading(summarizeCoverage(results.coverage)), ...formatCoverageLines(results.coverage).map((line) => `  ${line}`));
    lines.push(
      colourText(
        'gray',
        '  ✓: received. –: never received. 1/3: received for one of three reasons. The other reports show how to provoke each answer.',
      ),
    );
  }
  if (notes.length > 0) lines.push('', ...notes);
  lines.push('', ...listLevels(results).map(formatTotal));
  const bounded = summarizeTimeLimitedRules(results);
  if (bounded) lines.push(colourText('gray', `  ${bounded}`));
  lines.push('', formatConclusion());
  const first = suggestCapabilities(results);
  if (first) lines.push('', `  ${first.sentence}`, ...first.capabilities.map((capability) => `    ${addProfileMember(capability)}`));
  return lines.join('\n');

  function formatRule(rule: RuleResult): string[] {
    const { id, level, cells, text } = rule;
    const marks = columns.map((column) => {
      const verdict = cells[column]?.verdict ?? 'not-applicable';
      const colour = level === 'advice' && verdict === 'failed' ? 'yellow' : VERDICT_COLOURS[verdict];
      return colourText(colour, verdict === 'failed' && tolerated.has(`${id} ${column}`) ? '~' : VERDICT_MARKS[verdict]);
    });
    const why = describeMissing(rule);
    const line = `  ${marks.join(' ')}  ${id}${level === 'documented' ? '' : colourText('gray', ` (${level})`)}  ${colourText('gray', text)}`;
    return why === undefined ? [line] : [line, indent(shortenMessage(why), ' '.repeat(4 + 2 * columns.length))];
  }

  function formatFailure({ rule, check, columns: failedIn }: FailedCheck): string[] {
    const known = failedIn.every((column) => tolerated.has(`${rule.id} ${column}`)) ? ' (known, in the baseline)' : '';
    const level = rule.level === 'implied' ? ['implied'] : [];
    return [
      '',
      `  ${colourText('bold', rule.id)}  ${[...listColumnNames(failedIn), ...level].join(', ')}${known}`.trimEnd(),
      `  ${check.title}  ${colourText('gray', rule.section)}`,
      indent(shortenMessage(check.failure?.message ?? 'It failed.', check.timeline ? 20 : 6), '    '),
      ...(check.failure?.traceId ? [indent(`traceId ${check.failure.traceId}`, '    ')] : []),
      ...formatTimeline(check, target.kind).map((line) => `      ${line}`),
      ...(check.place === undefined ? [] : [colourText('gray', `    ${check.place}`)]),
    ];
  }

  function formatTotal(level: RuleResult['level']): string {
    const totals = countTotals(rules, level);
    const rest = VERDICTS.filter((verdict) => verdict !== 'passed' && totals[verdict] > 0).map((verdict) =>
      colourText(VERDICT_COLOURS[verdict], `${totals[verdict]} ${getVerdictWord(verdict, level)}`),
    );
    return `  ${level.padEnd(10)}  ${formatHeading(`${totals.passed} of ${totals.inScope} ${getVerdictWord('passed', level)}`)}${rest.map((part) => `, ${part}`).join('')}`;
  }

  function formatConclusion(): string {
    const time = colourText('gray', ` (${formatSeconds(results.durationMs)})`);
    const { kind, text } = concludeRun(results, failureReasons, tolerated);
    return `  ${colourText(VERDICT_COLOURS[kind], text)}${time}`;
  }
}

function formatRuleCount(count: number): string {
  return count === 1 ? '1 rule' : `${count} rules`;
}

/** Other reports contain the whole message. */
function shortenMessage(message: string, lines = 6): string {
  return message
    .split('\n')
    .slice(0, lines)
    .map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line))
    .join('\n');
}

function indent(text: string, by = '  '): string {
  return text
    .trim()
    .split('\n')
    .map((line) => by + line)
    .join('\n');
}
