import { frozenMutants, frozenReasons } from '../frozen/mutants.ts';
import type { Mutant } from './mutant.ts';

/** Every mutant. */
export const mutants: readonly Mutant[] = frozenMutants;

/** The rules that no mutant breaks alone, and why. */
export const withoutMutant: Readonly<Record<string, string>> = frozenReasons;

const byName = new Map(mutants.map((mutant) => [mutant.name, mutant]));

export function findMutant(name: string): Mutant | undefined {
  return byName.get(name);
}
