import type { PathForm } from '../contract/generated/operations.ts';
import type { Command } from './commands.ts';
import { describeRequest, removeMarks } from './describe.ts';
import type { Outcome } from './sequence.ts';

/**
 * Selects commands of a sequence.
 * @param positions the index of each command times 4; plus 1 if the command is plain and sent once, and what it changed is looked at before
 * the next; plus 2 if it uses the first of the path forms
 */
export function select(commands: readonly Command[], positions: readonly number[], form: PathForm): Command[] {
  return positions.flatMap((position) => {
    const command = commands[toIndex(position)];
    if (command === undefined) return [];
    return { ...command, ...(position & ALONE && { times: 1, hurries: false, isPlain: true }), ...(position & FIRST_FORM && { form }) };
  });
}

export const selectAll = (commands: readonly Command[]): number[] => [...commands.keys()].map((index) => index << 2);
const toIndex = (position: number) => position >> 2;
const [ALONE, FIRST_FORM] = [1, 2];

/** Runs the commands. @param isThorough whether to ask every question after each @returns the outcome, if it shows the same difference */
export type Try = (positions: readonly number[], isThorough?: boolean) => Promise<Outcome | undefined>;

/**
 * Removes commands as long as the difference remains: first those that seem to concern something else, then ever smaller groups. Each try
 * takes a tenth of a second or more, so a general method, which also shortens what a command consists of, would seldom come to its end.
 * @param first what the whole sequence showed
 * @returns the positions of the remaining commands
 */
export async function shorten(whole: readonly number[], first: Outcome, isShown: Try, isOver: () => boolean): Promise<readonly number[]> {
  let kept = whole.slice(0, first.performed);
  const keepIfShown = async (positions: readonly number[], isThorough = false) => {
    if (isOver() || positions.length === 0) return false;
    const outcome = await isShown(positions, isThorough);
    if (outcome) kept = positions.slice(0, outcome.performed);
    return outcome !== undefined;
  };
  const simplify = (positions: readonly number[], flags = ALONE | FIRST_FORM) => positions.map((position) => position | flags);
  const related = findRelated(first).map((index) => whole[index]!);
  for (const positions of [simplify(related), related, simplify(kept)]) if (await keepIfShown(positions)) break;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < kept.length && !isOver(); )
      if (!(await keepIfShown([...kept.slice(0, from), ...kept.slice(from + size)]))) from += size;
  }
  // A simpler question may show the difference as well.
  for (const flags of [ALONE | FIRST_FORM, FIRST_FORM, 0]) if (await keepIfShown(simplify(kept, flags), true)) break;
  for (const position of kept)
    if (!(position & ALONE))
      await keepIfShown(
        kept.map((each) => (each === position ? each | ALONE : each)),
        true,
      );
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
