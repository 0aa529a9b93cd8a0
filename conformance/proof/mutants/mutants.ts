import { rulesInScope } from '../../../src/report/scope.ts';
import { frozenMutants } from '../frozen/mutants.ts';
import { assignability } from './by-hand/assignability.ts';
import { assignments } from './by-hand/assignments.ts';
import { assignmentsCreate } from './by-hand/assignments-create.ts';
import { authentication } from './by-hand/authentication.ts';
import { connections } from './by-hand/connections.ts';
import { connectionsCreate } from './by-hand/connections-create.ts';
import { connectionsList } from './by-hand/connections-list.ts';
import { eventsContent } from './by-hand/events-content.ts';
import { eventsDelivery } from './by-hand/events-delivery.ts';
import { eventsPublish } from './by-hand/events-publish.ts';
import { eventsUsers } from './by-hand/events-users.ts';
import { limits } from './by-hand/limits.ts';
import { oauth } from './by-hand/oauth.ts';
import { oauthPkce } from './by-hand/oauth-pkce.ts';
import { oauthTokens } from './by-hand/oauth-tokens.ts';
import { pathForms } from './by-hand/path-forms.ts';
import { users } from './by-hand/users.ts';
import { usersList } from './by-hand/users-list.ts';
import { bodyMutants } from './derived/bodies.ts';
import { eventMutants } from './derived/events.ts';
import { pageMutants } from './derived/pages.ts';
import { publishingMutants } from './derived/publishing.ts';
import { refusalMutants } from './derived/refusals.ts';
import { valueMutants } from './derived/values.ts';
import type { ByHand, Derived, Mutant } from './mutant.ts';

const BY_HAND: readonly ByHand[] = [
  pathForms,
  authentication,
  assignability,
  limits,
  assignments,
  assignmentsCreate,
  connections,
  connectionsCreate,
  connectionsList,
  users,
  usersList,
  oauth,
  oauthTokens,
  oauthPkce,
  eventsPublish,
  eventsUsers,
  eventsDelivery,
  eventsContent,
];

/** The rules that no mutant can break, and why. */
export const withoutMutant: Readonly<Record<string, string>> = Object.fromEntries(
  BY_HAND.flatMap((rules) => Object.entries(rules)).flatMap(([rule, entry]) =>
    typeof entry.none === 'string' ? [[rule, entry.none]] : [],
  ),
);

/** What the operators derive from the contract. */
const derived = [...refusalMutants, ...bodyMutants, ...pageMutants, ...eventMutants, ...valueMutants, ...publishingMutants];

const byHand: readonly Derived[] = BY_HAND.flatMap((rules) =>
  Object.entries(rules).flatMap(([rule, entry]) =>
    Object.entries(entry).flatMap(([does, start]) => (typeof start === 'string' ? [] : [{ rule, does, start }])),
  ),
);

function named(all: readonly Derived[]): Mutant[] {
  return [...Map.groupBy(all, ({ rule }) => rule).values()].flatMap((ofRule) =>
    ofRule.map((mutant, index) => ({ name: `${mutant.rule}#${index + 1}`, ...mutant })),
  );
}

/** Every mutant; with XPK_FROZEN=1 those from before, to compare. */
export const mutants: readonly Mutant[] = process.env.XPK_FROZEN === '1' ? frozenMutants : named([...derived, ...byHand]);

const broken = new Set([...mutants.map(({ rule }) => rule), ...Object.keys(withoutMutant)]);
const missing = rulesInScope.filter(({ id }) => !broken.has(id)).map(({ id }) => id);
if (missing.length > 0) throw new Error(`No mutant breaks ${missing.join(', ')}: write one, or say in the table why there is none.`);

const byName = new Map(mutants.map((mutant) => [mutant.name, mutant]));

export function findMutant(name: string): Mutant | undefined {
  return byName.get(name);
}
