import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from '../../kit.ts';
import { browser } from '../../oauth/server/testing/browser.ts';
import { flow } from '../../oauth/server/testing/flow.ts';
import type { Outcome } from '../outcome.ts';
import { readCalls } from './journal.ts';
import { judge } from './judge.ts';
import { PROVOCATIONS } from './provocations.ts';
import { correctClient, s256 } from './testing/scripted.ts';
import { CORRECT } from './testing/unusual-clients.ts';
import { type Script, WRONG } from './testing/wrong-clients.ts';

async function outcomesOf({ run, provoke = [], wholeLists = false, gapMs }: Omit<Script, 'breaks'>): Promise<Outcome[]> {
  await using kit = await createKit({ port: 0 });
  for (const name of provoke) for (const fault of PROVOCATIONS[name]) await kit.fault(fault);
  await run(await correctClient(kit), kit);
  const { calls, facts } = await readCalls(kit.control);
  const judged = gapMs
    ? calls.map((call, index) => ({ ...call, arrivedMs: calls[0]!.arrivedMs! + gapMs * index, durationMs: 0.5 }))
    : calls;
  return judge(judged, { ...facts, wholeLists, provoked: provoke });
}

const withVerdict = (outcomes: readonly Outcome[], verdict: Outcome['verdict']) => [
  ...new Set(outcomes.filter((each) => each.verdict === verdict).map(({ rule }) => rule)),
];
const messages = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ rule, message, timeline }) =>
    message ? `${rule}: ${message} ${JSON.stringify(timeline.map(({ text }) => text))}` : [],
  );

for (const script of WRONG)
  test(`a client that ${script.name} breaks ${script.breaks.join(' and ')}, and no other rule`, async () => {
    const outcomes = await outcomesOf(script);
    assert.deepEqual(withVerdict(outcomes, 'failed').sort(), [...script.breaks].sort(), messages(outcomes).join('\n'));
    for (const { timeline } of outcomes.filter(({ verdict }) => verdict === 'failed'))
      assert.ok(timeline.some(({ violation }) => violation));
  });

for (const script of CORRECT)
  test(`a client that ${script.name} breaks no rule`, async () => {
    const outcomes = await outcomesOf(script);
    assert.deepEqual(messages(outcomes), []);
    const passed = withVerdict(outcomes, 'passed');
    assert.deepEqual(
      script.passes.filter((rule) => !passed.includes(rule)),
      [],
      `These rules did not pass: ${JSON.stringify(outcomes.filter(({ rule }) => !passed.includes(rule)))}`,
    );
    const notExercised = withVerdict(outcomes, 'not-exercised');
    assert.deepEqual(script.notExercised?.filter((rule) => !notExercised.includes(rule)) ?? [], []);
  });

test('requests without a token do not show that the token is in the header', async () => {
  const user = '/users/00000000-0000-4000-8000-000000000001';
  const outcomes = await outcomesOf({
    name: '',
    async run({ login, raw, send, users }) {
      await raw(user, {});
      await send((await login()).access_token, users());
    },
  });
  const verdicts = outcomes.flatMap(({ rule, verdict }) => (rule === 'client.token-in-header' ? [verdict] : []));
  assert.deepEqual(verdicts, ['passed', 'not-testable']);
});

test('logins on the login page are judged like logins without a page', async () => {
  await using kit = await createKit({ port: 0, login: 'page' });
  await using _ = await kit.fault(PROVOCATIONS.state[0]);
  const principal = await kit.id('principals', 'manager');
  for (const challenged of [true, false]) {
    const client = flow(kit.authUrl);
    const user = browser();
    const changes = { state: `state of ${challenged}`, ...(!challenged && { code_challenge: s256('another verifier') }) };
    const page = await user.follow(await user.open(client.authorizeUrl(changes)));
    const { response } = await user.follow(await user.submit(page.response.url, { answer: 'approve', principal }));
    await client.exchange(new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '');
  }
  const { calls, facts } = await readCalls(kit.control);
  const outcomes = judge(calls, facts);
  // The first login has an altered state, and the second one has a challenge that is not the hash of the verifier.
  assert.deepEqual(withVerdict(outcomes, 'failed').sort(), ['client.pkce.s256', 'client.state.compared'], messages(outcomes).join('\n'));
});

test('of calls that begin in the middle of a journal, only those are judged that need no earlier call', async () => {
  await using kit = await createKit({ port: 0 });
  const client = await correctClient(kit);
  const { access_token: token } = await client.login();
  const { cursor } = (await client.send(token, client.users({ pageSize: '1' }))).body;
  const [last] = (await readCalls(kit.control)).calls.slice(-1);
  await client.send(token, client.users({ pageSize: '1', cursor: String(cursor) }));
  const { calls, facts } = await readCalls(kit.control, last!.number);
  assert.deepEqual([calls.length, facts], [1, { missed: 0, complete: false }]);
  assert.deepEqual(messages(judge(calls, facts)), []);
});

test('a token must not be sent after its lifetime of an hour, even if it was refreshed', async () => {
  await using kit = await createKit({ port: 0 });
  const { login, refresh, send, users } = await correctClient(kit);
  const first = await login();
  await send(first.access_token, users({ pageSize: '1' }));
  const second = await refresh(first.refresh_token);
  await send(second.access_token, users({ pageSize: '1' }));
  const { calls, facts } = await readCalls(kit.control);
  const verdict = (...seconds: number[]) => {
    const shifted = calls.map((call, index) => ({ ...call, arrivedMs: call.arrivedMs! + 1000 * (seconds[index] ?? 0) }));
    return judge(shifted, facts).find(({ rule }) => rule === 'client.tokens.refreshed-before-expiry')?.verdict;
  };
  // The calls are the authorization request, the exchange, a request, the refresh, and a request with the new token.
  assert.deepEqual([verdict(0, 0, 3590, 3595, 3610), verdict(0, 0, 3610, 3595, 3610)], ['passed', 'failed']);
});

test('if a client sends equal requests in parallel, and again a second later, it waited after the 429', async () => {
  await using kit = await createKit({ port: 0 });
  const { login, send, check } = await correctClient(kit);
  const { access_token: token } = await login();
  await using _ = await kit.fault(PROVOCATIONS.rate[0]);
  for (let call = 0; call < 4; call++) await send(token, check());
  const { calls, facts } = await readCalls(kit.control);
  // The calls are the authorization request, the exchange, a check that got 429, and three checks that succeeded.
  const seconds = [0, 0, 1, 1.005, 1.01, 2.5];
  const shifted = calls.map((call, index) => ({ ...call, arrivedMs: 1000 * seconds[index]!, durationMs: 1 }));
  const verdictOf = (some: typeof shifted) => judge(some, facts).find(({ rule }) => rule === 'limits.assignability.back-off')?.verdict;
  assert.deepEqual([verdictOf(shifted), verdictOf(shifted.slice(0, -1))], ['passed', 'not-exercised']);
});
