import { type RuleInScope, rulesInScope } from '../../../src/report/scope.ts';
import type { DoNothing } from './do-nothing.ts';
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutant.ts';
import type { Plan } from './plan.ts';
import type { KnownCheck } from './reporter.ts';

/** By saboteur, the checks that it stands before. */
export type Choice = Readonly<Record<string, readonly string[]>>;

/** Every saboteur before all the checks of the rule that it breaks. */
export function ownChecks(saboteurs: readonly Mutant[], checks: readonly KnownCheck[]): Choice {
  return Object.fromEntries(
    saboteurs.map(({ name, rule }) => [name, checks.filter(({ rules }) => rules.includes(rule)).map(({ check }) => check)]),
  );
}

/** One check of every documented rule, a costly one only where there is no other: a server that does nothing passes a rule only if it passes each check of it. */
export function oneOfEach(checks: readonly KnownCheck[], concerns: DoNothing['concerns']): readonly string[] {
  const asked = ({ id, level }: RuleInScope) => level === 'documented' && concerns(id);
  const covered = new Set<string>(rulesInScope.filter((rule) => !asked(rule)).map(({ id }) => id));
  const cheapFirst = checks.toSorted((left, right) => Number(left.costly) - Number(right.costly));
  return cheapFirst.flatMap(({ check, rules }) => {
    if (rules.every((rule) => covered.has(rule))) return [];
    for (const rule of rules) covered.add(rule);
    return [check];
  });
}

/** Of a plan what is to be made again: before saboteurs that nobody caught, and by checks without teeth. */
export function uncaught(plan: Plan, { caught, toothless }: Pick<Verdict, 'caught' | 'toothless'>): Plan {
  const free = new Set(caught.filter(({ by }) => by.length === 0).map(({ saboteur }) => saboteur.name));
  const own = new Set(caught.map(({ saboteur }) => saboteur.name));
  const again = Object.entries(plan).map(([check, names]): [string, readonly string[]] => [
    check,
    names.filter((name) => free.has(name) || (toothless.includes(check) && own.has(name))),
  ]);
  return Object.fromEntries(again.filter(([, names]) => names.length > 0));
}

/** Several choices as a plan: by check, the saboteurs that it meets, each once. */
export function merged(choices: readonly Choice[]): Plan {
  const plan = new Map<string, Set<string>>();
  for (const [saboteur, checks] of choices.flatMap((choice) => Object.entries(choice)))
    for (const check of checks) plan.set(check, (plan.get(check) ?? new Set()).add(saboteur));
  return Object.fromEntries([...plan].map(([check, names]) => [check, [...names]]));
}
