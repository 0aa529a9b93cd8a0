import { type Change, differenceOf, isPartial } from '../../report/diff.ts';
import { parseResults } from '../../report/read-results.ts';
import { WORDS } from '../../report/summary.ts';
import { readText } from '../../world/source.ts';

/** Prints the differences between two results.json files. @returns the exit status: 1 if the verdict on a rule got worse, else 0 */
export async function compareResults(before: string, after: string): Promise<number> {
  const [old, fresh] = [parseResults(await readText(before), before), parseResults(await readText(after), after)];
  const { worse, better, other, observations } = differenceOf(old, fresh);
  const parts: [string, readonly string[]][] = [
    ['Worse', worse.flatMap(changeLines)],
    ['Better', better.flatMap(changeLines)],
    ['Other changes', other.flatMap(changeLines)],
    ['Other observations', observations.map((row) => `  ${row.decision}: ${row.before} → ${row.after}`)],
  ];
  if (isPartial(old, fresh)) console.log('A run tested only some rules: compared is what both runs tested.\n');
  const shown = parts.filter(([, lines]) => lines.length > 0);
  console.log(shown.length === 0 ? 'Nothing changed.' : shown.map(([title, lines]) => [title, ...lines].join('\n')).join('\n\n'));
  return worse.length > 0 ? 1 : 0;
}

function changeLines({ rule, form, level, text, before, after, message }: Change): string[] {
  const word = (verdict: Change['before']) => (verdict === 'none' ? 'not tested' : WORDS[verdict]);
  const lines = [`  ${rule} (${form}${level === 'implied' ? ', implied' : ''}): ${word(before)} → ${word(after)}`, `    ${text}`];
  return message === undefined ? lines : [...lines, ...message.split('\n').map((line) => `    ${line}`)];
}
