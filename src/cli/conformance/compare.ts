import type { Results } from '../../contract/generated/results.ts';
import { type Change, type Difference, differenceOf, isPartial } from '../../report/diff.ts';
import { parseResults } from '../../report/read-results.ts';
import { columnNames, WORDS } from '../../report/summary.ts';
import { readText } from '../../world/source.ts';
import { print } from '../command.ts';
import { UsageError } from '../usage-error.ts';

/** Prints the differences between two results.json files. @returns the exit status: 1 if the verdict on a rule got worse, else 0 */
export async function compareResults(before: string, after: string, flags: { readonly json?: boolean }): Promise<number> {
  const [old, fresh] = [parseResults(await readText(before), before), parseResults(await readText(after), after)];
  if (commandOf(old) !== commandOf(fresh))
    throw new UsageError(`${before} is from ${commandOf(old)}, and ${after} from ${commandOf(fresh)}. Compare two runs of one command.`);
  const difference = { partial: isPartial(old, fresh), ...differenceOf(old, fresh) };
  print(flags, difference, format);
  return difference.worse.length > 0 ? 1 : 0;
}

function format({ partial, worse, better, other, observations }: Difference & { readonly partial: boolean }): string {
  const parts: [string, readonly string[]][] = [
    ['Worse', worse.flatMap(changeLines)],
    ['Better', better.flatMap(changeLines)],
    ['Other changes', other.flatMap(changeLines)],
    ['Other observations', observations.map((row) => `  ${row.decision}: ${row.before} → ${row.after}`)],
  ];
  const shown = parts.filter(([, lines]) => lines.length > 0);
  return [
    ...(partial ? ['A run tested only some rules: compared is what both runs tested.'] : []),
    ...(shown.length === 0 ? ['Nothing changed.'] : shown.map(([title, lines]) => [title, ...lines].join('\n'))),
  ].join('\n\n');
}

function commandOf({ target: { kind } }: Results): string {
  return kind === 'webhook' || kind === 'client' ? `xpk check ${kind}` : 'xpk conformance';
}

function changeLines({ rule, column, level, text, before, after, message }: Change): string[] {
  const word = (verdict: Change['before']) => (verdict === 'none' ? 'not tested' : WORDS[verdict]);
  const where = [...columnNames([column]), ...(level === 'documented' ? [] : [level])].join(', ');
  const lines = [`  ${rule}${where === '' ? '' : ` (${where})`}: ${word(before)} → ${word(after)}`, `    ${text}`];
  return message === undefined ? lines : [...lines, ...message.split('\n').map((line) => `    ${line}`)];
}
