import type { Results, RuleResult } from '../contract/generated/results.ts';
import { shownValue } from './decisions-file.ts';
import { profileMemberOf, withProfileMember } from './profile-members.ts';
import {
  addFirst,
  boundedSummary,
  byResource,
  type FailedCheck,
  failedChecks,
  MARKS,
  missingCapabilities,
  missingInPart,
  seconds,
  VERDICTS,
  WORDS,
} from './summary.ts';
import { totalsOf } from './totals.ts';

/** Writes a Markdown page for a pull request or a wiki. The page contains totals, failures, and collapsed tables of all rules. */
export function markdownReport(results: Results): string {
  const { target, startedAt, durationMs, forms, rules } = results;
  const [failed, errors] = [failedChecks(results, 'failed'), failedChecks(results, 'error')];
  const advice = addFirst(results);
  const parts = [
    `# Conformance of ${escaped(target.name ?? target.baseUrl)}`,
    `${escaped(target.baseUrl)}, ${startedAt}, ${seconds(durationMs)}, ${forms.join(' and ')} paths, tested by experience-provider-kit ${results.kit}.${results.interrupted ? ' **The run was interrupted.**' : ''}`,
    totalsTable(rules),
    ...[boundedSummary(results)].filter((line) => line !== undefined),
    ...(failed.length > 0 ? ['## Failed', ...failed.map(failure)] : []),
    ...(errors.length + results.errors.length > 0
      ? ['## Errors of the suite itself', ...errors.map(failure), ...results.errors.map((error) => fenced(error))]
      : []),
    ...list(
      '## Missing capabilities',
      missingCapabilities(results).map(
        ([capability, count]) => `\`${capability}\`: ${count} ${count === 1 ? 'rule' : 'rules'}; ${profileMemberOf(capability)}`,
      ),
    ),
    ...list(
      '## Observed decisions',
      results.observations.map((seen) => `\`${seen.decision}\`: ${escaped(shownValue(seen))}`),
    ),
    ...list('## Not removed from the target', results.leftovers.map(escaped)),
    '## Every rule',
    VERDICTS.map((verdict) => `${MARKS[verdict]} ${WORDS[verdict]}`).join(', '),
    ...[...byResource(rules)].map(([resource, group]) => resourceTable(resource, group, results)),
    ...(advice ? [advice.sentence, advice.capabilities.map((each) => `- ${escaped(withProfileMember(each))}`).join('\n')] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function totalsTable(rules: readonly RuleResult[]): string {
  const others = VERDICTS.filter((verdict) => verdict !== 'passed');
  const rows = (['documented', 'implied'] as const).map((level) => {
    const totals = totalsOf(rules, level);
    return `| ${level} | **${totals.passed} of ${totals.inScope}** | ${others.map((verdict) => totals[verdict]).join(' | ')} |`;
  });
  const head = [`| rules | passed | ${others.map((verdict) => WORDS[verdict]).join(' | ')} |`, `|${' --- |'.repeat(others.length + 2)}`];
  return [...head, ...rows].join('\n');
}

function failure({ rule, check, forms }: FailedCheck): string {
  const level = rule.level === 'implied' ? ', implied' : '';
  const { message = '', traceId, curl } = check.failure ?? {};
  const facts = [
    `### \`${rule.id}\` (${forms.join(', ')}${level})`,
    `${escaped(rule.text)} *${escaped(rule.section)}*`,
    fenced(message),
    ...(traceId ? [`traceId \`${escaped(traceId)}\``] : []),
    ...(curl ? [fenced(curl, 'sh')] : []),
  ];
  return facts.join('\n\n');
}

function resourceTable(resource: string, rules: readonly RuleResult[], { forms }: Results): string {
  const rows = rules.map((rule) => {
    const { id, level, text, cells } = rule;
    const why = missingInPart(rule);
    const marks = forms.map((form) => MARKS[cells[form]?.verdict ?? 'not-applicable']);
    return `| ${marks.join(' | ')} | \`${id}\` | ${escaped(text)}${level === 'implied' ? ' *(implied)*' : ''}${why ? ` *${escaped(why)}*` : ''} |`;
  });
  const head = [`| ${forms.join(' | ')} | rule | |`, `|${' --- |'.repeat(forms.length + 2)}`];
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
