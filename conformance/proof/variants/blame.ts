/** What fails, and the turns without which it does not: several where only they together make it fail. */
export interface Blamed<Turn> {
  readonly failing: string;
  readonly turns: readonly Turn[];
}

/** Says which of these fail with those turns only. */
export type Try<Turn> = (turns: readonly Turn[], failing: readonly string[]) => Promise<readonly string[]>;

/** Halves the turns again and again, each time trying only what fails: as few turns as make it fail are left. */
export async function blame<Turn>(turns: readonly Turn[], failing: readonly string[], fails: Try<Turn>): Promise<Blamed<Turn>[]> {
  if (turns.length <= 1 || failing.length === 0) return failing.map((each) => ({ failing: each, turns }));
  const middle = Math.ceil(turns.length / 2);
  const blamed: Blamed<Turn>[] = [];
  for (const half of [turns.slice(0, middle), turns.slice(middle)]) {
    const rest = failing.filter((each) => !blamed.some((found) => found.failing === each));
    if (rest.length > 0) blamed.push(...(await blame(half, await fails(half, rest), fails)));
  }
  const together = failing.filter((each) => !blamed.some((found) => found.failing === each));
  return [...blamed, ...together.map((each) => ({ failing: each, turns }))];
}
