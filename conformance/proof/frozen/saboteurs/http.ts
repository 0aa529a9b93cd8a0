import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { httpPages } from './http-pages.ts';
import { httpPathForms } from './http-path-forms.ts';
import { httpProblems } from './http-problems.ts';

/** Servers that break one rule each. */
export const http: SaboteursOf<Extract<TestableRuleId['openapi'], `http.${string}`>> = { ...httpProblems, ...httpPages, ...httpPathForms };
