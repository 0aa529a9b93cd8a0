import { type Objection, objectionsTo } from './judge.ts';
import type { Turned } from './plan.ts';
import { runSuite } from './run-suite.ts';

/** Runs only what was objected to, with these decisions turned. @returns what is objected to now. */
export async function again(turned: Turned, about: readonly Objection[]): Promise<Objection[]> {
  const rules = [...new Set(about.flatMap(({ rule }) => rule ?? []))];
  const decisions = [...new Set(about.flatMap(({ decision }) => decision ?? []))];
  const { results, inForce } = await runSuite(turned, { rules, observing: decisions.length > 0 });
  return objectionsTo(results, inForce, decisions);
}
