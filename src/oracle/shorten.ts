import type { Command } from './commands.ts';
import { describeRequest, removeMarks } from './describe.ts';
import type { Outcome } from './sequence.ts';

/**
 * Selects commands of a sequence.
 * @param positions twice the index of each command; plus 1 if the command is sent once, and what it changed is looked at before the next
 */
export function select(commands: readonly Command[], positions: readonly number[]): Command[] {
  return positions.flatMap((position) => {
    const command = commands[position >> 1];
    return command === undefined ? [] : position % 2 === 0 ? command : { ...command, times: 1, hurries: false };
  });
}

const toSingle = (positions: readonly number[]) => positions.map((position) => position | 1);

/**
 * Removes commands as long as the difference remains: first those that seem to concern something else, then ever smaller groups. Each try
 * takes a tenth of a second or more, so a general method, which also shortens what a command consists of, would seldom come to its end.
 * @param first what the whole sequence showed
 * @param isShown runs the commands, and returns the outcome if it shows the same difference
 * @returns the positions of the remaining commands
 */
export async function shorten(
  whole: readonly number[],
  first: Outcome,
  isShown: (positions: readonly number[]) => Promise<Outcome | undefined>,
  isOver: () => boolean,
): Promise<readonly number[]> {
  let kept = whole.slice(0, first.performed);
  const keepIfShown = async (positions: readonly number[]) => {
    if (isOver() || positions.length === 0 || positions.join() === kept.join()) return false;
    const outcome = await isShown(positions);
    if (outcome) kept = positions.slice(0, outcome.performed);
    return outcome !== undefined;
  };
  const related = findRelated(first).map((index) => whole[index]!);
  for (const positions of [toSingle(related), related, toSingle(kept)]) if (await keepIfShown(positions)) break;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < kept.length && !isOver(); )
      if (!(await keepIfShown([...kept.slice(0, from), ...kept.slice(from + size)]))) from += size;
  }
  for (const position of kept) await keepIfShown(kept.map((each) => (each === position ? each | 1 : each)));
  return kept;
}

/** The indexes of the commands that concern the entities of the difference, and those from which these follow. */
function findRelated({ difference, dialogue, commandOf, performed }: Outcome): number[] {
  const request = difference?.request && describeRequest(difference.request.operation, difference.request.request);
  const names = new Set<string>();
  const addNames = (text: string) => {
    for (const [name] of text.matchAll(/\bnew \w+ \d+/g)) names.add(name);
  };
  addNames(removeMarks(`${difference?.message} ${request}`));
  const related = new Set<number>(difference?.request || names.size === 0 ? [performed - 1] : []);
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const [index, text] of dialogue.entries()) {
      if (!related.has(commandOf[index]!) && !names.values().some((name) => new RegExp(`${name}\\b`).test(text))) continue;
      related.add(commandOf[index]!);
      addNames(text);
    }
  }
  return [...related].sort((a, b) => a - b);
}
