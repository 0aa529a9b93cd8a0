import { assignmentScenarios } from './assignments.ts';
import { connectionScenarios } from './connections.ts';
import { oauthScenarios } from './oauth.ts';
import type { Scenarios } from './scenario.ts';
import { userScenarios } from './users.ts';

/** Maps the id of a rule, decision or gate to its scenarios. */
export const scenarios: Scenarios = { ...assignmentScenarios, ...connectionScenarios, ...userScenarios, ...oauthScenarios };
