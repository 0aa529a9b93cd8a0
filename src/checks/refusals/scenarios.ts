import { assignmentScenarios } from './assignments.ts';
import { connectionScenarios } from './connections.ts';
import { oauthScenarios } from './oauth.ts';
import type { Scenarios } from './scenario.ts';
import { userScenarios } from './users.ts';

export const scenarios: Scenarios = { ...assignmentScenarios, ...connectionScenarios, ...userScenarios, ...oauthScenarios };
