import type { Results } from '../../contract/generated/results.ts';
import { type Difference, findDifferences, isPartial, type VerdictChange } from '../../report/diff.ts';
import { parseResults } from '../../report/read-results.ts';
import { listColumnNames } from '../../report/run-view.ts';
import { VERDICT_WORDS } from '../../report/verdicts.ts';
import { readText } from '../../world/source.ts';
import { print } from '../command.ts';
import { UsageError } from '../usage-error.ts';

/** @returns the exit status: 1 if a verdict got worse, else 0 */
export async function compareResults(before: string, after: string, flags: { readonly json?: boolean }): Promise<number> {
  const [older, newer] = [parseResults(await readText(before), before), parseResults(await readText(after), after)];
  if (getCommand(older) !== getCommand(newer))
    throw new UsageError(
      `${before} is from ${getCommand(older)}, and ${after} is from ${getCommand(newer)}. Compare two runs of the same command.`,
    );
  const difference = { partial: isPartial(older, newer), ...findDifferences(older, newer) };
  print(flags, difference, formatDifference);
  return difference.worse.length > 0 ? 1 : 0;
}

function formatDifference({ partial, worse, better, other, observations }: Difference & { readonly partial: boolean }): string {
  const parts: [string, readonly string[]][] = [
    ['Worse', worse.flatMap(formatChange)],
    ['Better', better.flatMap(formatChange)],
    ['Other changes', other.flatMap(formatChange)],
    ['Other observations', observations.map((row) => `  ${row.decision}: ${row.before} → ${row.after}`)],
  ];
  const shown = parts.filter(([, lines]) => lines.length > 0);
  return [
    ...(partial ? ['Not all rules were tested in both runs. Only rules that both runs tested are compared.'] : []),
    ...(shown.length === 0 ? ['Nothing changed.'] : shown.map(([title, lines]) => [title, ...lines].join('\n'))),
  ].join('\n\n');
}

function getCommand({ target: { kind } }: Results): string {
  return kind === 'webhook' || kind === 'client' ? `xpk check ${kind}` : 'xpk conformance';
}

function formatChange({ rule, column, level, text, before, after, message }: VerdictChange): string[] {
  const formatVerdict = (verdict: VerdictChange['before']) => (verdict === 'none' ? 'not tested' : VERDICT_WORDS[verdict]);
  const where = [...listColumnNames([column]), ...(level === 'documented' ? [] : [level])].join(', ');
  const lines = [`  ${rule}${where === '' ? '' : ` (${where})`}: ${formatVerdict(before)} → ${formatVerdict(after)}`, `    ${text}`];
  return message === undefined ? lines : [...lines, ...message.split('\n').map((line) => `    ${line}`)];
}
