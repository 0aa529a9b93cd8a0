import type { RuleId } from '../../src/contract/generated/rules.ts';
import { validator } from '../../src/contract/validators.ts';
import type { Answer } from '../target/exchange.ts';
import { must } from './broken.ts';
import { isJson } from './verify.ts';

/** A rule that holds for every refusal. */
export interface ProblemRule {
  readonly id: RuleId;
  /** Its sentence, without the full stop. */
  readonly sentence: string;
  /** @throws RuleBroken */
  judge(refusal: Answer): void;
}

const isProblem = validator('openapi#/$defs/Problem');

/** @throws RuleBroken unless the member fits the contract: it is there where it has to be, and of its type. */
function member(answer: Answer, name: string): void {
  must(typeof answer.json === 'object' && answer.json !== null, 'an error body is a JSON object', answer);
  const finding = isProblem(answer.json).find(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
  must(finding === undefined, `${name} ${finding?.message}`, answer);
}

export const PROBLEM_RULES: readonly ProblemRule[] = [
  {
    id: 'http.bodies-are-json',
    sentence: 'Every body of the API is JSON, that of a refusal, too',
    judge: (answer) => must(answer.text === '' || isJson(answer), 'the body of a refusal is JSON', answer),
  },
  {
    id: 'http.problem.content-type',
    sentence: 'An error body has the content type application/problem+json',
    judge(answer) {
      const type = answer.headers['content-type'] ?? '';
      must(/^application\/problem\+json\s*(;|$)/i.test(type), 'the content type is application/problem+json', answer);
    },
  },
  { id: 'http.problem.title', sentence: 'An error body carries a title', judge: (answer) => member(answer, 'title') },
  {
    id: 'http.problem.status',
    sentence: 'An error body carries a status that is the HTTP status of the response',
    judge(answer) {
      member(answer, 'status');
      must((answer.json as { status: unknown }).status === answer.status, `status is ${answer.status}`, answer);
    },
  },
  {
    id: 'http.problem.trace-id',
    sentence: 'An error body always carries a traceId',
    judge(answer) {
      member(answer, 'traceId');
      must((answer.json as { traceId: unknown }).traceId !== '', 'traceId is not empty', answer);
    },
  },
  {
    id: 'http.problem.type-uri',
    sentence: 'The type of a problem, when present, is a URI reference',
    judge: (answer) => member(answer, 'type'),
  },
  {
    id: 'http.problem.instance-uri',
    sentence: 'The instance of a problem, when present, is a URI reference',
    judge: (answer) => member(answer, 'instance'),
  },
  {
    id: 'http.problem.detail-string',
    sentence: 'The detail of a problem, when present, is a string',
    judge: (answer) => member(answer, 'detail'),
  },
  {
    id: 'http.problem.errors-array',
    sentence: 'The errors of a problem, when present, are an array of objects',
    judge: (answer) => member(answer, 'errors'),
  },
];
