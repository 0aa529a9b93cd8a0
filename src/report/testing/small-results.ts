import type { Check, Column, Results } from '../../contract/generated/results.ts';
import { aggregate, type RuleCheck } from '../aggregate.ts';
import { RESULTS_VERSION } from '../read-results.ts';
import { PATH_FORMS, type RuleInScope, rulesInScope } from '../scope.ts';

export const DOCUMENTED_RULE = 'assignments.list.filter-required';
export const IMPLIED_RULE = 'assignments.list.only-visible';
export const ONE_PATH_RULE = 'users.list.shape';

const SMALL_SCOPE_RULES = [DOCUMENTED_RULE, IMPLIED_RULE, ONE_PATH_RULE];
export const smallScope: readonly RuleInScope[] = rulesInScope.filter(({ id }) => SMALL_SCOPE_RULES.includes(id));

export function createFinding(rule: string, column: Column, verdict: Check['verdict'], members: Partial<Check> = {}): RuleCheck {
  return { rule, column, check: { title: `${rule} is followed.`, place: 'rules/x.spec.ts:1', verdict, durationMs: 12, ...members } };
}

export const passedFindings: readonly RuleCheck[] = smallScope.flatMap(({ id, columns }) =>
  columns.map((column) => createFinding(id, column, 'passed')),
);

export function createSmallResults(findings: readonly RuleCheck[], members: Partial<Results> = {}): Results {
  return {
    format: 'experience-provider-kit/conformance-results',
    version: RESULTS_VERSION,
    kit: '0.0.0',
    target: { baseUrl: 'https://api.example.com', kind: 'foreign' },
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 1234,
    interrupted: false,
    columns: PATH_FORMS,
    partial: false,
    rules: aggregate({ rules: smallScope, columns: PATH_FORMS, findings }),
    observations: [],
    leftovers: [],
    errors: [],
    ...members,
  };
}

/** A failure with markup, code fences and control characters, which reports must escape. */
export const hostileFailure: Partial<Check> = {
  failure: {
    message: 'Expected 400.\nGET https://api.example.com/x was answered with 200: ``` <script>alert(1)</script> | ]]> \u0000 &',
    traceId: '"><img src=x>',
    curl: "curl -i 'https://api.example.com/x'",
    exchange: {
      method: 'GET',
      url: 'https://api.example.com/x?a=<b>',
      requestHeaders: { accept: 'application/json' },
      status: 200,
      headers: { 'x-odd': '</pre><script>alert(2)</script>' },
      text: '</script><script>alert(3)</script>',
    },
  },
};
