import type { Answer } from '../../src/expect/answer.ts';
import { must } from '../../src/expect/rule-broken.ts';
import type { CallOptions } from '../actors/api-client.ts';
import type { Participants } from '../actors/participants.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Capabilities } from '../target/capabilities.ts';

type Operation = 'getUsers' | 'getUser';
type Source = Pick<Participants, 'api' | 'need' | 'has'>;

/** Only calls with these `parameters` fail, so that other checks' calls succeed. */
interface Request {
  readonly call: CallOptions;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Returns two calls with different parameters and existing ids, so that only the simulated failure can cause an error. */
async function createRequests(operation: Operation, { need, has }: Source): Promise<readonly [Request, Request]> {
  const token = await need('token');
  if (operation === 'getUser') {
    const users = await need('users');
    const read = (userId: string) => ({ call: { token, path: { userId } }, parameters: { userId } });
    return [read(await users()), read(await users())];
  }
  // Use a list with users, so that the check notices if a failure empties it.
  const accountId = await need(has('account.many-users') ? 'account.many-users' : 'account');
  const list = (pageSize?: number) => ({ call: { token, query: { accountId, pageSize } }, parameters: { accountId } });
  return [list(), list(7)];
}

type FailNextCall = Capabilities['fault.authorization'];

async function failWith(status: 429 | 500 | 503, { need }: Source): Promise<FailNextCall> {
  if (status === 503) return need('fault.authorization');
  const fail = await need('fault.users');
  return (operation, parameters) => fail(operation, status, parameters);
}

async function expectFailures(source: Source, operation: Operation, status: 429 | 500 | 503): Promise<Answer[]> {
  const { api } = source;
  const [fail, [first, second]] = [await failWith(status, source), await createRequests(operation, source)];
  const before = await api.call(operation, first.call);
  expectStatus(before, 200);
  const answers: Answer[] = [];
  for (const { call, parameters } of [first, second]) {
    const requestFailure = async () => {
      const cancel = await fail(operation, parameters);
      const answer = await api.callOnce(operation, call);
      // A failure that is still pending would affect a later check.
      await cancel?.();
      return answer;
    };
    let answer = await requestFailure();
    if (answer.status === 429 && status !== 429) {
      // A rate limit refused the request, either before the failure, which is then still pending, or instead of it.
      const next = await api.call(operation, call);
      answer = next.status === status ? next : await requestFailure();
    }
    answers.push(answer);
  }
  for (const answer of answers) expectStatus(answer, status);
  const after = await api.call(operation, first.call);
  expectSuccess(after, 200);
  if (source.has('account.many-users') && countListed(before) !== 0)
    must(countListed(after) !== 0, 'the list contains users again after the failure', after);
  return answers;
}

/** Undefined if the answer is not a list. */
const countListed = ({ json }: Answer) => (json as { entities?: readonly unknown[] } | undefined)?.entities?.length;

for (const [id, operation, status] of [
  ['users.list.rate', 'getUsers', 429],
  ['users.get.rate', 'getUser', 429],
  ['users.list.fail-closed', 'getUsers', 503],
  ['users.get.fail-closed', 'getUser', 503],
] as const) {
  test(...rule(id), async ({ api, need, has }) => {
    await expectFailures({ api, need, has }, operation, status);
  });
}

function expectOneDetail(answers: readonly Answer[]): void {
  const details = answers.map(({ json }) => (json as { detail?: unknown } | undefined)?.detail);
  const areTexts = details.every((detail) => typeof detail === 'string' && detail !== '');
  must(areTexts, 'the body of a 500 has a detail', answers[0]);
  const other = details.findIndex((detail) => detail !== details[0]);
  must(other < 0, `every 500 has the same detail, “${details[0]}”`, answers[other]);
}

test(...rule('users.list.internal'), async ({ api, need, has }) => {
  expectOneDetail(await expectFailures({ api, need, has }, 'getUsers', 500));
});

test(...rule('users.get.internal'), async ({ api, need, has }) => {
  const ofList = await expectFailures({ api, need, has }, 'getUsers', 500);
  expectOneDetail([...ofList, ...(await expectFailures({ api, need, has }, 'getUser', 500))]);
});
