import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DecisionId, defaultDecisions } from '../../contract/generated/decisions.ts';
import type { Results } from '../../contract/generated/results.ts';
import { toCalls } from '../../har/har-calls.ts';
import { parseHar } from '../../har/har-file.ts';
import { createKit, type KitSettings } from '../../kit.ts';
import { rulesInScope } from '../../report/scope.ts';
import { causeRefusals, recordHar, useService } from '../../testing/recorded-traffic.ts';
import type { Call } from '../client/call.ts';
import { judgeJournal, judgeService, serviceJudges } from './judge.ts';
import { BREACHES, bodyOf } from './testing/breaches.ts';

const listFailures = ({ rules }: Results): string[] =>
  rules.flatMap(({ id, cells }) =>
    Object.values(cells).flatMap(({ checks }) => checks.flatMap(({ failure }) => (failure ? `${id}: ${failure.message}` : []))),
  );
const listRules = (results: Results, verdict: string): string[] =>
  results.rules.flatMap((rule) => (rule.verdict === verdict ? rule.id : []));

/** Sends all requests to a new kit, and judges them by the kit's journal and by a HAR. */
async function recordTraffic(settings: KitSettings = {}) {
  await using kit = await createKit({ port: 0, login: 'auto', ...settings });
  const entries = await recordHar(async () => {
    await causeRefusals(kit);
    await useService(kit);
  });
  const { calls } = toCalls(parseHar(JSON.stringify({ log: { entries } }), 'traffic.har'), 'traffic.har', kit.url);
  return { calls, byJournal: await judgeJournal(kit.control, kit.url), byHar: judgeService({ calls, url: kit.url }) };
}

let calls: readonly Call[] = [];

describe('correct traffic', () => {
  test('breaks no rule, and shows most rules', async () => {
    const recorded = await recordTraffic();
    calls = recorded.calls;
    assert.deepEqual([...listFailures(recorded.byJournal), ...listFailures(recorded.byHar)], []);
    const shown = [...listRules(recorded.byHar, 'passed'), ...listRules(recorded.byHar, 'partly-tested')];
    assert.ok(shown.length > 130, `${shown.length} rules`);
  });

  for (const set of [
    { 'assignments.create.duplicate': 422, 'auth.missing-scope': 401, 'lists.order': 'newest-first', 'lists.page-size': 'held' },
    { 'connections.update.status': 202, 'connections.delete.status': 202, 'lists.hidden-account': 404, 'lists.cursor.invalid': 'empty' },
  ] as const)
    test(`breaks no rule with ${Object.keys(set).join(', ')}`, async () => {
      const { byJournal, byHar } = await recordTraffic({ set });
      assert.deepEqual([...listFailures(byJournal), ...listFailures(byHar)], []);
      const observed = Object.fromEntries(byJournal.observations.map(({ decision, value }) => [decision, value]));
      const wrong = Object.entries(observed).filter(([id, value]) => value !== { ...defaultDecisions, ...set }[id as DecisionId]);
      assert.deepEqual(wrong, []);
      for (const id of SHOWN.filter((each) => each in set)) assert.ok(id in observed, `${id} was not observed`);
    });
});

/** The decisions that the traffic shows. */
const SHOWN = ['assignments.create.duplicate', 'lists.page-size', 'connections.update.status', 'connections.delete.status'];

/** What a changed response breaks besides, if an earlier response was about the same entity. */
const CONTRADICTIONS = ['assignments.create.duplicate-refused', 'assignments.create.echo', 'connections.create.listed'];

test('what other clients do meanwhile breaks no rule', async () => {
  await using kit = await createKit({ port: 0, login: 'auto' });
  const entries = await recordHar(async () => void (await Promise.all([useService(kit), useService(kit), useService(kit)])));
  const sent = entries.flatMap(({ request }) => request.headers.find(({ name, value }) => name === 'authorization' && value)?.value ?? []);
  for (const token of new Set(sent)) {
    const own = entries.filter(({ request }) => request.headers.some(({ value }) => value === token));
    const { calls: ofClient } = toCalls(parseHar(JSON.stringify({ log: { entries: own } }), 'traffic.har'), 'traffic.har', kit.url);
    assert.ok(ofClient.length > 100);
    assert.deepEqual(listFailures(judgeService({ calls: ofClient, url: kit.url })), []);
  }
});

describe('what a file does not contain breaks no rule', () => {
  const OMISSIONS: Readonly<Record<string, (call: Call) => Call>> = {
    'request bodies': (call) => ({ ...call, request: { headers: call.request!.headers } }),
    'response bodies': (call) => ({ ...call, response: { ...call.response!, body: '', bodyBytes: 0, truncated: true } }),
    'response headers': (call) => ({ ...call, response: { ...call.response!, headers: {} } }),
    'Authorization headers': ({ credential: _, ...call }) => ({
      ...call,
      request: { ...call.request!, headers: { ...call.request!.headers, authorization: undefined as never } },
    }),
    durations: (call) => ({ ...call, durationMs: 0 }),
  };
  for (const [name, omit] of Object.entries(OMISSIONS))
    test(name, () => assert.deepEqual(listFailures(judgeService({ calls: calls.map(omit), url: 'http://service.example' })), []));
});

test('every judged rule is one of the service, and the others are not exercised', () => {
  const ids = new Set<string>(rulesInScope.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(serviceJudges).filter((id) => !ids.has(id)),
    [],
  );
  const { rules } = judgeService({ calls: [], url: 'http://service.example' });
  assert.deepEqual(
    rules.filter(({ verdict }) => verdict !== 'not-exercised' && verdict !== 'not-applicable').map(({ id }) => id),
    [],
  );
});

describe('a change of one exchange breaks a rule', () => {
  for (const [name, find, change, ...breaks] of BREACHES)
    test(name, () => {
      const target = calls.find((call) => find(call, bodyOf(call), calls));
      assert.ok(target, 'no such call');
      const changed = structuredClone(target);
      change(changed as unknown as Parameters<typeof change>[0], bodyOf(changed), calls);
      const results = judgeService({ calls: calls.map((call) => (call === target ? changed : call)), url: 'http://service.example' });
      const others = CONTRADICTIONS.filter((id) => !breaks.some((each) => each === id));
      const failed = listRules(results, 'failed').filter((id) => !others.includes(id));
      assert.deepEqual(failed.sort(), [...breaks].sort(), listFailures(results).join('\n'));
    });
});
