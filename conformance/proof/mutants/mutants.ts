import { rulesInScope } from '../../../src/report/scope.ts';
import { assignability } from './by-hand/assignability.ts';
import { assignments } from './by-hand/assignments.ts';
import { authentication } from './by-hand/authentication.ts';
import { connections } from './by-hand/connections.ts';
import { publishingMutants } from './by-hand/events-causes.ts';
import { eventsContent } from './by-hand/events-content.ts';
import { eventsDelivery } from './by-hand/events-delivery.ts';
import { eventsPublish } from './by-hand/events-publish.ts';
import { exploration } from './by-hand/exploration.ts';
import { oauth, tokenRefusals } from './by-hand/oauth.ts';
import { pathForms } from './by-hand/path-forms.ts';
import { users } from './by-hand/users.ts';
import { bodyMutants } from './derived/bodies.ts';
import { eventMutants } from './derived/events.ts';
import { pageMutants } from './derived/pages.ts';
import { refusalMutants } from './derived/refusals.ts';
import { valueMutants } from './derived/values.ts';
import type { DerivedMutant, Mutant, MutantsByRule } from './mutant.ts';

const BY_HAND: readonly MutantsByRule[] = [
  pathForms,
  authentication,
  assignability,
  assignments,
  connections,
  users,
  oauth,
  eventsPublish,
  eventsDelivery,
  eventsContent,
  exploration,
];

const unnamed: readonly DerivedMutant[] = [
  ...refusalMutants,
  ...bodyMutants,
  ...pageMutants,
  ...eventMutants,
  ...valueMutants,
  ...publishingMutants,
  ...tokenRefusals,
  ...BY_HAND.flatMap((rules) =>
    Object.entries(rules).flatMap(([rule, entry]) => Object.entries(entry).map(([description, start]) => ({ rule, description, start }))),
  ),
];

export const mutants: readonly Mutant[] = [...Map.groupBy(unnamed, ({ rule }) => rule).values()].flatMap((ofRule) =>
  ofRule.map((mutant, index) => ({ name: `${mutant.rule}#${index + 1}`, ...mutant })),
);

const brokenRules = new Set(mutants.map(({ rule }) => rule));
const missingRules = rulesInScope.filter(({ id }) => !brokenRules.has(id)).map(({ id }) => id);
if (missingRules.length > 0)
  throw new Error(`No mutant breaks ${missingRules.join(', ')}. Add one to a file in conformance/proof/mutants/by-hand.`);

const mutantsByName = new Map(mutants.map((mutant) => [mutant.name, mutant]));

export function findMutant(name: string): Mutant | undefined {
  return mutantsByName.get(name);
}

export function selectMutants(rules: readonly string[] | undefined): readonly Mutant[] {
  return mutants.filter(({ rule }) => rules?.includes(rule) ?? true);
}
