import { assignments } from './assignments.ts';
import { connections } from './connections.ts';
import { oauth } from './oauth.ts';
import type { Scenarios } from './scenario.ts';
import { users } from './users.ts';

/** All scenarios, by the id of the rule, of the decision, or of the reason of the kit. */
export const scenarios: Scenarios = { ...assignments, ...connections, ...users, ...oauth };
