import { validator } from '../../src/contract/validators.ts';
import { must } from '../support/broken.ts';
import type { Answer } from '../support/exchange.ts';
import { GROUP_NAMES, GROUPS, test } from '../support/general-test.ts';
import { refusalsOf } from '../support/refusals.ts';
import { rule } from '../support/rule.ts';
import { isJson, success } from '../support/verify.ts';

const isProblem = validator('openapi#/$defs/Problem');

/** @throws RuleBroken unless the member fits the contract: it is there where it has to be, and of its type. */
function member(answer: Answer, name: string): void {
  must(typeof answer.json === 'object' && answer.json !== null, 'an error body is a JSON object', answer);
  const finding = isProblem(answer.json).find(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
  must(finding === undefined, `${name} ${finding?.message}`, answer);
}

const RULES = [
  [
    'http.problem.content-type',
    'An error body has the content type application/problem+json.',
    (answer: Answer) => {
      must(
        /^application\/problem\+json\s*(;|$)/i.test(answer.headers['content-type'] ?? ''),
        'the content type is application/problem+json',
        answer,
      );
    },
  ],
  ['http.problem.title', 'An error body carries a title.', (answer: Answer) => member(answer, 'title')],
  [
    'http.problem.status',
    'An error body carries a status that is the HTTP status of the response.',
    (answer: Answer) => {
      member(answer, 'status');
      must((answer.json as { status: unknown }).status === answer.status, `status is ${answer.status}`, answer);
    },
  ],
  [
    'http.problem.trace-id',
    'An error body always carries a traceId.',
    (answer: Answer) => {
      member(answer, 'traceId');
      must((answer.json as { traceId: unknown }).traceId !== '', 'traceId is not empty', answer);
    },
  ],
  ['http.problem.type-uri', 'The type of a problem, when present, is a URI reference.', (answer: Answer) => member(answer, 'type')],
  [
    'http.problem.instance-uri',
    'The instance of a problem, when present, is a URI reference.',
    (answer: Answer) => member(answer, 'instance'),
  ],
  ['http.problem.detail-string', 'The detail of a problem, when present, is a string.', (answer: Answer) => member(answer, 'detail')],
  [
    'http.problem.errors-array',
    'The errors of a problem, when present, are an array of objects.',
    (answer: Answer) => member(answer, 'errors'),
  ],
] as const;

for (const group of GROUP_NAMES) {
  for (const [id, title, judge] of RULES) {
    test(`${title.slice(0, -1)}: ${group}.`, rule(id), async ({ calls, need }) => {
      for (const answer of await refusalsOf(group, calls, need)) judge(answer);
    });
  }

  test(`Every body of the API is JSON: ${group}.`, rule('http.bodies-are-json'), async ({ calls, need }) => {
    const token = await need('token');
    for (const operation of GROUPS[group]) {
      const good = await calls.of(operation);
      const refused = await calls.send(operation, good);
      must(refused.text === '' || isJson(refused), 'the body of a refusal is JSON', refused);
      const answer = await calls.send(operation, { ...good, token });
      success(operation, answer);
      must(answer.text === '' || isJson(answer), 'the body is JSON', answer);
    }
  });
}
