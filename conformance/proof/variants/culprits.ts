import type { DecisionId } from '../../../src/contract/generated/decisions.ts';
import { again } from './again.ts';
import { blame } from './blame.ts';
import type { Objection } from './judge.ts';
import { pick, type Turned } from './plan.ts';

/** Runs what was objected to again, with some of the decisions turned, and says which of them it takes. @returns a sentence each. */
export async function culprits(turned: Turned, objections: readonly Objection[]): Promise<string[]> {
  const failing = [...new Set(objections.flatMap(({ rule, decision }) => rule ?? decision ?? []))];
  const fails = async (ids: readonly DecisionId[], asked: readonly string[]) => {
    if (asked.length === 0) return [];
    const about = objections.filter(({ rule, decision }) => asked.includes(rule ?? decision ?? ''));
    const found = await again(pick(turned, ids), about);
    return asked.filter((each) => found.some(({ rule, decision }) => each === (rule ?? decision)));
  };

  const ids = Object.keys(turned) as DecisionId[];
  const always = await fails([], failing);
  const rest = failing.filter((each) => !always.includes(each));
  const recurring = await fails(ids, rest);
  const said = (which: readonly DecisionId[]) => which.map((id) => `${id}=${turned[id]}`).join(' and ');
  return [
    ...always.map((each) => `${each}: also with no decision turned`),
    ...rest.filter((each) => !recurring.includes(each)).map((each) => `${each}: not when it ran again; it comes and goes`),
    ...(await blame(ids, recurring, fails)).map(({ failing: each, turns }) => `${each}: because of ${said(turns)}`),
  ];
}
