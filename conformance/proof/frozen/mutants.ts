import type { TestableRuleId } from '../../../src/contract/generated/rules.ts';
import type { Mutant } from '../mutants/mutant.ts';
import type { NoSaboteur, Saboteur, SaboteursOf } from './saboteur.ts';
import { assignability } from './saboteurs/assignability.ts';
import { assignments } from './saboteurs/assignments.ts';
import { authentication } from './saboteurs/authentication.ts';
import { authorization } from './saboteurs/authorization.ts';
import { connections } from './saboteurs/connections.ts';
import { events } from './saboteurs/events.ts';
import { http } from './saboteurs/http.ts';
import { limits } from './saboteurs/limits.ts';
import { users } from './saboteurs/users.ts';

// Exhaustive by its type: a rule without a saboteur, or without the reason why it has none, does not compile.
const saboteurs: SaboteursOf<TestableRuleId['openapi' | 'authorization' | 'asyncapi']> = {
  ...http,
  ...authentication,
  ...assignability,
  ...limits,
  ...assignments,
  ...connections,
  ...users,
  ...authorization,
  ...events,
};

const entries = Object.entries(saboteurs) as [string, readonly Saboteur[] | NoSaboteur][];

/** The mutants from before the derived ones, to compare against: `XPK_FROZEN=1 npm run prove -- --only mutants`. */
export const frozenMutants: readonly Mutant[] = entries.flatMap(([rule, entry]) =>
  'none' in entry
    ? []
    : entry.map(({ does, start }, index) => ({
        name: `${rule}#${index + 1}`,
        rule,
        does,
        start,
      })),
);

/** The rules that none of them breaks, and why. */
export const frozenReasons: Readonly<Record<string, string>> = Object.fromEntries(
  entries.flatMap(([rule, entry]) => ('none' in entry ? [[rule, entry.none]] : [])),
);
