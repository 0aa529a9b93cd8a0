import type { RuleId } from '../contract/generated/rules.ts';
import { getValidator } from '../contract/validators.ts';
import type { Answer } from './answer.ts';
import { isJson, isObject } from './response.ts';
import { must } from './rule-broken.ts';

export interface ProblemRule {
  readonly id: RuleId;
  /** @throws RuleBroken */
  expect(refusal: Answer): void;
}

export const PROBLEM_SCHEMA = 'openapi#/$defs/Problem';
const validateProblem = getValidator(PROBLEM_SCHEMA);

function expectMember(answer: Answer, name: string): void {
  must(isObject(answer.json), 'the body of a refusal is a JSON object', answer);
  const finding = validateProblem(answer.json).find(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
  must(finding === undefined, `${name} in the problem details ${finding?.message}`, answer);
}

/** Ignores a body that is not a JSON object, because other rules report it. */
function createOptionalMemberRule(id: RuleId, name: string): ProblemRule {
  return {
    id,
    expect(answer) {
      if (isObject(answer.json)) expectMember(answer, name);
    },
  };
}

export const PROBLEM_RULES: readonly ProblemRule[] = [
  {
    id: 'http.bodies-are-json',
    expect: (answer) => must(answer.text === '' || isJson(answer), 'the body of a refusal is JSON', answer),
  },
  {
    id: 'http.problem.content-type',
    expect(answer) {
      const type = answer.headers['content-type'] ?? '';
      must(/^application\/problem\+json\s*(;|$)/i.test(type), 'the content type of a refusal is application/problem+json', answer);
    },
  },
  {
    id: 'http.problem.status',
    expect(answer) {
      expectMember(answer, 'status');
      must((answer.json as { status: unknown }).status === answer.status, `status in the problem details is ${answer.status}`, answer);
    },
  },
  {
    id: 'http.problem.trace-id',
    expect(answer) {
      expectMember(answer, 'traceId');
      must((answer.json as { traceId: unknown }).traceId !== '', 'traceId in the problem details is not empty', answer);
    },
  },
  { id: 'http.problem.title', expect: (answer) => expectMember(answer, 'title') },
  createOptionalMemberRule('http.problem.type-uri', 'type'),
  createOptionalMemberRule('http.problem.instance-uri', 'instance'),
  createOptionalMemberRule('http.problem.detail-string', 'detail'),
  createOptionalMemberRule('http.problem.errors-array', 'errors'),
];

/** The rules that an answer without its headers cannot be tested for. */
export const RULES_ABOUT_HEADERS: readonly RuleId[] = ['http.bodies-are-json', 'http.problem.content-type'];
