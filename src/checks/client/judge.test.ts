import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from '../../kit.ts';
import { createBrowser } from '../../oauth/server/testing/browser.ts';
import { createChallenge, createFlow } from '../../testing/oauth-flow.ts';
import { createCorrectClient } from '../../testing/scripted-client.ts';
import { CORRECT_CLIENTS } from '../../testing/unusual-clients.ts';
import { type ClientScript, WRONG_CLIENTS } from '../../testing/wrong-clients.ts';
import type { RuleOutcome } from '../outcome.ts';
import { judgeService } from '../service/judge.ts';
import { readCalls } from './journal.ts';
import { describeRefusals, judgeCalls } from './judge.ts';
import { chooseDecisions, PROVOCATIONS } from './provocations.ts';

async function judgeScript({
  run,
  provoke = [],
  wholeLists = false,
  oneSession = false,
  set = {},
  gapMs,
}: Omit<ClientScript, 'breaks'>): Promise<RuleOutcome[]> {
  await using kit = await createKit({ port: 0, set: { ...chooseDecisions(provoke), ...set } });
  // A slow response matters only to a client that observes the lifetime of its tokens.
  for (const name of provoke) for (const fault of PROVOCATIONS[name]) if (fault.fault !== 'slow-response') await kit.fault(fault);
  await run(await createCorrectClient(kit), kit);
  const { calls, facts } = await readCalls(kit.control);
  const judged = calls.map((call, index) => {
    const arrivedMs = calls[0]!.arrivedMs! + (gapMs ?? 0) * index;
    return gapMs ? { ...call, arrivedMs, at: new Date(arrivedMs).toISOString(), durationMs: 0.5 } : call;
  });
  return judgeCalls(judged, { ...facts, wholeLists, oneSession, provoked: provoke });
}

const listRulesWithVerdict = (outcomes: readonly RuleOutcome[], verdict: RuleOutcome['verdict']) => [
  ...new Set(outcomes.filter((each) => each.verdict === verdict).map(({ rule }) => rule)),
];
const listMessages = (outcomes: readonly RuleOutcome[]) =>
  outcomes.flatMap(({ rule, message, timeline }) =>
    message ? `${rule}: ${message} ${JSON.stringify(timeline.map(({ text }) => text))}` : [],
  );

for (const script of WRONG_CLIENTS)
  test(`a client that ${script.name} breaks ${script.breaks.join(' and ')}, and no other rule`, async () => {
    const outcomes = await judgeScript(script);
    assert.deepEqual(listRulesWithVerdict(outcomes, 'failed').sort(), [...script.breaks].sort(), listMessages(outcomes).join('\n'));
    for (const { timeline } of outcomes.filter(({ verdict }) => verdict === 'failed'))
      assert.ok(timeline.some(({ violation }) => violation));
  });

for (const script of CORRECT_CLIENTS)
  test(`a client that ${script.name} breaks no rule`, async () => {
    const outcomes = await judgeScript(script);
    assert.deepEqual(listMessages(outcomes), []);
    const passed = listRulesWithVerdict(outcomes, 'passed');
    const { passes = [] } = script;
    const exceptions: readonly string[] = script.notExercised ?? [];
    const expected = passes === 'all other rules' ? outcomes.map(({ rule }) => rule).filter((rule) => !exceptions.includes(rule)) : passes;
    assert.deepEqual(
      expected.filter((rule) => !passed.includes(rule)),
      [],
      `These rules did not pass: ${JSON.stringify(outcomes.filter(({ rule }) => !passed.includes(rule)))}`,
    );
    const notExercised = [...listRulesWithVerdict(outcomes, 'not-exercised'), ...listRulesWithVerdict(outcomes, 'not-testable')];
    assert.deepEqual(script.notExercised?.filter((rule) => !notExercised.includes(rule)) ?? [], []);
  });

test('notes name the reason of each refused request', async () => {
  await using kit = await createKit({ port: 0 });
  const { call, authorize } = await createCorrectClient(kit);
  await call('/users/unknown');
  await call('/users/unknown');
  await authorize({ scope: 'openid' });
  await call('/experience/connections', { accountId: '00000000-0000-4000-8000-000000000001', experienceId: '1' });
  const notes = describeRefusals((await readCalls(kit.control)).calls);
  assert.deepEqual(
    notes.map((note) => /requests? .* because of [\w.-]+/.exec(note)?.[0]),
    [
      'requests #3 and #4 (getUser) with 404, because of users.get.not-found',
      'request #5 (authorize) with 303, because of invalid_scope',
      'request #6 (createExperienceConnection) with 422, because of connections.create.invalid-value',
    ],
  );
});

test('the rule about the Authorization header is not testable for an operation whose requests have no token', async () => {
  const user = '/users/00000000-0000-4000-8000-000000000001';
  const outcomes = await judgeScript({
    name: '',
    async run({ login, raw, send, users }) {
      await raw(user, {});
      await send((await login()).access_token, users());
    },
  });
  const verdicts = outcomes.flatMap(({ rule, verdict }) => (rule === 'client.token-in-header' ? [verdict] : []));
  assert.deepEqual(verdicts, ['passed', 'not-testable']);
});

test('the rule about the Authorization header is not testable for a client that sends its requests first without a token', async () => {
  const outcomes = await judgeScript({
    name: '',
    async run({ login, raw, send, users }) {
      const { access_token: token } = await login();
      for (const pageSize of ['1', '2', '3']) {
        await raw(users({ pageSize }), {});
        await send(token, users({ pageSize }));
      }
    },
  });
  const verdicts = outcomes.flatMap(({ rule, verdict }) => (rule === 'client.token-in-header' ? [verdict] : []));
  assert.deepEqual(verdicts, ['passed', 'not-testable']);
});

test('a login with the login page can break the same rules as an automatic login', async () => {
  await using kit = await createKit({ port: 0, login: 'page' });
  await using _ = await kit.fault(PROVOCATIONS.state[0]);
  const principal = await kit.id('principals', 'manager');
  for (const challenged of [true, false]) {
    const client = createFlow(kit.authUrl);
    const user = createBrowser();
    const changes = { state: `state of ${challenged}`, ...(!challenged && { code_challenge: createChallenge('another verifier') }) };
    const page = await user.follow(await user.open(client.authorizeUrl(changes)));
    const { response } = await user.follow(await user.submit(page.response.url, { answer: 'approve', principal }));
    await client.exchange(new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '');
  }
  const { calls, facts } = await readCalls(kit.control);
  const outcomes = judgeCalls(calls, facts);
  // The first redirect has an altered `state`. The second login's code challenge does not match the verifier.
  assert.deepEqual(
    listRulesWithVerdict(outcomes, 'failed').sort(),
    ['client.pkce.s256', 'client.state.compared'],
    listMessages(outcomes).join('\n'),
  );
});

test('a call breaks no rule if the journal has lost the calls before it', async () => {
  await using kit = await createKit({ port: 0 });
  const client = await createCorrectClient(kit);
  const { access_token: token } = await client.login();
  const { cursor } = (await client.send(token, client.users({ pageSize: '1' }))).body;
  const [last] = (await readCalls(kit.control)).calls.slice(-1);
  await client.send(token, client.users({ pageSize: '1', cursor: String(cursor) }));
  const { calls, facts } = await readCalls(kit.control, last!.number);
  assert.deepEqual([calls.length, facts], [1, { missed: 0, complete: false }]);
  assert.deepEqual(listMessages(judgeCalls(calls, facts)), []);
});

test('a cursor from before a reset is refused, and the client that sends it breaks no rule', async () => {
  await using kit = await createKit({ port: 0 });
  const client = await createCorrectClient(kit);
  const { access_token: token } = await client.login();
  const { cursor } = (await client.send(token, client.users({ pageSize: '1' }))).body;
  await kit.control.POST('/_control/reset', { body: { to: 'seed' } });
  const { full } = await kit.tokens();
  assert.equal((await client.send(full!, client.users({ pageSize: '1', cursor: String(cursor) }))).status, 400);
  const { calls, facts } = await readCalls(kit.control);
  assert.deepEqual(listMessages(judgeCalls(calls, facts)), []);
});

test('after a refresh, the client must not send the old token later than its one-hour lifetime', async () => {
  await using kit = await createKit({ port: 0 });
  const { login, refresh, send, users } = await createCorrectClient(kit);
  const first = await login();
  await send(first.access_token, users({ pageSize: '1' }));
  const second = await refresh(first.refresh_token);
  await send(second.access_token, users({ pageSize: '1' }));
  const { calls, facts } = await readCalls(kit.control);
  const getVerdictForArrivals = (...arrivalSeconds: number[]) => {
    const shifted = calls.map((call, index) => ({ ...call, arrivedMs: call.arrivedMs! + 1000 * (arrivalSeconds[index] ?? 0) }));
    return judgeCalls(shifted, facts).find(({ rule }) => rule === 'client.tokens.refreshed-before-expiry')?.verdict;
  };
  // The calls: authorization request, code exchange, request, refresh, request with the new token.
  assert.deepEqual([getVerdictForArrivals(0, 0, 3590, 3595, 3610), getVerdictForArrivals(0, 0, 3610, 3595, 3610)], ['passed', 'failed']);
});

test('a client obeys the back-off rule if it repeats its parallel requests more than one second after a 429', async () => {
  await using kit = await createKit({ port: 0 });
  const { login, send, check } = await createCorrectClient(kit);
  const { access_token: token } = await login();
  await using _ = await kit.fault(PROVOCATIONS.rate[1]);
  for (let call = 0; call < 4; call++) await send(token, check());
  const { calls, facts } = await readCalls(kit.control);
  // The calls: authorization request, code exchange, an assignability check with 429, three successful checks.
  const seconds = [0, 0, 1, 1.005, 1.01, 2.5];
  const shifted = calls.map((call, index) => ({
    ...call,
    arrivedMs: 1000 * seconds[index]!,
    durationMs: 1,
    connection: { number: index, ageMs: 5000 },
  }));
  const getVerdict = (selected: typeof shifted) =>
    judgeCalls(selected, facts).find(({ rule }) => rule === 'limits.assignability.back-off')?.verdict;
  assert.deepEqual([getVerdict(shifted), getVerdict(shifted.slice(0, -1))], ['passed', 'not-exercised']);
  // A client that repeats at once, and gets 503, may wait only after the 503.
  const unavailable = shifted.map((call, index) => (index === 3 ? { ...call, status: 503 } : call)).toSpliced(4, 1);
  assert.equal(getVerdict(unavailable), 'not-exercised');
});

test('values with members that objects inherit are judged like other values', async () => {
  await using kit = await createKit({ port: 0 });
  const { full = '' } = await kit.tokens();
  const value = { toString: 1, valueOf: 1 };
  const body = JSON.stringify({ experienceId: value, accountId: value, targetType: value, targetValue: value, state: value });
  const headers = { authorization: `Bearer ${full}`, 'content-type': 'application/json' };
  for (const path of ['assignments', 'connections']) await fetch(`${kit.url}/experience/${path}`, { method: 'POST', headers, body });
  const { calls, facts } = await readCalls(kit.control);
  // A service that accepts them repeats them.
  const accepted = calls.map((call) => ({
    ...call,
    status: 201,
    response: { ...call.response!, body: { id: value, updatedAt: value, ...JSON.parse(body) } },
  }));
  for (const each of [calls, accepted]) {
    assert.ok(judgeCalls(each, { ...facts, wholeLists: false, oneSession: false, provoked: [] }).length > 0);
    assert.ok(judgeService({ calls: each, url: kit.url }).rules.length > 0);
  }
});
