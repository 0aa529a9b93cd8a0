import { randomUUID } from 'node:crypto';
import type { Call, Client } from '../actors/api-client.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';

type Operation = 'getUsers' | 'getUser';

// A failure that was asked for must not hit another check.
test.describe.configure({ lock: '-exclusive-' });

/** Requests that would succeed, or be answered otherwise, if the service did not fail. */
async function requests(operation: Operation, need: Need): Promise<readonly Call[]> {
  const token = await need('token');
  if (operation === 'getUser')
    return [
      { token, path: { userId: await (await need('users'))() } },
      { token, path: { userId: randomUUID() } },
    ];
  const accountId = await need('account.any');
  return [
    { token, query: { accountId } },
    { token, query: { accountId, pageSize: 7 } },
    { token, query: { accountId: randomUUID() } },
  ];
}

/** The answers while the service fails so: each request with a failure of its own. */
async function failing(api: Client, need: Need, operation: Operation, status: 429 | 500 | 503): Promise<Answer[]> {
  const [fail, calls] = [await need('fault.users'), await requests(operation, need)];
  expectSuccess(operation, await api.call(operation, calls[0]), 200);
  const answers: Answer[] = [];
  for (const call of calls) {
    await fail(operation, status);
    answers.push(await api.once(operation, call));
  }
  for (const answer of answers) expectStatus(answer, status);
  expectSuccess(operation, await api.call(operation, calls[0]), 200);
  return answers;
}

function mustHaveOneDetail(answers: readonly Answer[]): void {
  const details = answers.map(({ json }) => (json as { detail?: unknown } | undefined)?.detail);
  must(
    details.every((detail) => typeof detail === 'string' && detail !== ''),
    'a 500 has a detail',
    answers[0],
  );
  const other = details.findIndex((detail) => detail !== details[0]);
  must(other < 0, `the detail is always “${details[0]}”`, answers[other]);
}

for (const [id, operation] of [
  ['users.list.rate', 'getUsers'],
  ['users.get.rate', 'getUser'],
] as const) {
  test(`Beyond the rate limit ${operation} gets 429.`, rule(id), async ({ api, need }) => {
    await failing(api, need, operation, 429);
  });
}

for (const [id, operation] of [
  ['users.list.fail-closed', 'getUsers'],
  ['users.get.fail-closed', 'getUser'],
] as const) {
  test(`While the authorization service cannot be reached, ${operation} fails closed with 503.`, rule(id), async ({ api, need }) => {
    await failing(api, need, operation, 503);
  });
}

test('The detail of a 500 of the list is always one fixed generic message.', rule('users.list.internal'), async ({ api, need }) => {
  mustHaveOneDetail(await failing(api, need, 'getUsers', 500));
});

test(
  'The detail of a 500 of a read is always one fixed generic message, the same as that of the list.',
  rule('users.get.internal'),
  async ({ api, need }) => {
    mustHaveOneDetail([...(await failing(api, need, 'getUsers', 500)), ...(await failing(api, need, 'getUser', 500))]);
  },
);
