import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { decisions as points } from '../contract/generated/decisions-table.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { rules } from '../contract/generated/rules-table.ts';
import { startReceiver } from '../events/testing/receiver.ts';
import { dumpWorld } from '../world/dump.ts';
import { type Ask, type ExplainingKit, type Explanation, explainingKit } from './explain/testing/kit.ts';
import { OTHER_DECISIONS, otherRefusals } from './explain/testing/other-decisions.ts';
import { NAMED_BY_NONE, NO_CHANGE, type ProblemId, refusals } from './explain/testing/refusals.ts';
import { explainedWorld, idOf, NOBODY } from './explain/testing/world.ts';

// Wall time stands still: what is refused for its rate is, however slow the machine.
mock.timers.enable({ apis: ['Date'], now: Date.now() });

let kit: ExplainingKit;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
before(async () => {
  receiver = await startReceiver();
  const all = { provider: 'acme', types: [...eventTypes], destinationUrl: receiver.url };
  kit = await explainingKit({ fixtures: { ...explainedWorld, subscriptions: { all } } });
});
after(async () => {
  await kit.kit.close();
  await receiver.close();
});
beforeEach(() => kit.control('POST', '/clock/advance', { by: 1000 }));

const IDS = Object.keys(refusals) as ProblemId[];

/** Everything that the world holds, and what was published in it. */
async function present({ kit: { store } }: ExplainingKit): Promise<string> {
  const world = await store.read(dumpWorld);
  const events = await store.db.selectFrom('events').select('id').execute();
  const deliveries = await store.db.selectFrom('deliveries').select(['id', 'state']).execute();
  return JSON.stringify({ world, events, deliveries });
}

/** Is refused for this reason, which is explained with a change that was tried and succeeds, or is known to have none. */
async function refusedFor(of: ExplainingKit, id: ProblemId, request: Ask): Promise<Explanation> {
  const { traceId, status, text } = await of.ask(request);
  assert.equal((JSON.parse(text) as { type: string }).type, `/problems/${id}`, text);
  const before = await present(of);
  const explanation = await of.explain(traceId);
  assert.equal(await present(of), before, 'an explanation changes nothing');
  const { outcome, reason, change, now } = explanation;
  assert.deepEqual([outcome, explanation.status, reason?.id], ['refused', status, id], text);
  assert.ok(reason?.text);
  const known = id in NO_CHANGE;
  assert.deepEqual(
    [change?.tested ?? false, change?.succeeds ?? false],
    [!known, !known],
    `${id} ${request.path} ${JSON.stringify(change)}`,
  );
  // Faults that were set for one request are over; bad tokens are not kept.
  const over = explanation.state?.cause === 'fault';
  if (now) assert.equal(now.same, !over, `${id} ${JSON.stringify(now)}`);
  return explanation;
}

async function eachOf(of: ExplainingKit, table: typeof refusals): Promise<void> {
  for (const [id, refusal] of Object.entries(table) as [ProblemId, NonNullable<(typeof refusals)[ProblemId]>][]) {
    await of.control('POST', '/clock/advance', { by: 1000 });
    const requests = typeof refusal === 'function' ? [await refusal(of)] : 'path' in refusal ? [refusal] : refusal;
    for (const request of requests) await refusedFor(of, id, request);
  }
}

test('every refusal is explained by its rule, with a change that was tried and succeeds', () => eachOf(kit, refusals));

test('so is what is refused by decisions other than by default, of which the value in force is told', async () => {
  const other = await explainingKit({ set: OTHER_DECISIONS });
  try {
    await eachOf(other, otherRefusals);
    const { reason } = await other.explained({ path: `/experience-assignments?accountId=${idOf('accounts', 'hidden')}` });
    assert.deepEqual([reason?.kind, reason?.inForce, reason?.alternatives], ['decision', 404, ['empty', 403]]);
  } finally {
    await other.kit.close();
  }
});

test('every rule at a refusal, and every open point that refuses, is in the table or says why not', () => {
  const refusing = (value: unknown) => typeof value === 'number' && value >= 400 && value < 600;
  const named = Object.entries(rules).filter(
    ([, { document, actor, status = '' }]) => document === 'openapi' && actor === 'service' && /^[45]/.test(status),
  );
  const open = Object.entries(points).filter(
    ([, { default: standard, alternatives = [], values }]) => !values && [standard, ...alternatives].some(refusing),
  );
  // An outage is http.unavailable. The others name a refusal that has another reason, such as a body that cannot be read.
  const others = [
    'http.query.duplicate-parameter',
    'http.query.unknown-parameter',
    'http.body.content-type',
    'http.body.read-only-fields',
    'http.outage',
  ];
  const wanted = [...named, ...open].map(([id]) => id);
  const told = [...IDS, ...Object.keys(otherRefusals), ...Object.keys(NAMED_BY_NONE), ...others] as string[];
  assert.deepEqual(
    wanted.filter((id) => !told.includes(id)),
    [],
  );
  assert.deepEqual(
    [...Object.keys(NAMED_BY_NONE), ...Object.keys(NO_CHANGE)].filter((id) => !wanted.includes(id) && !(id in refusals)),
    [],
  );
});

test('a request whose body is nested deeply is explained', async () => {
  const body = `{"accountId":${'['.repeat(5_000)}${']'.repeat(5_000)},"experienceId":"${NOBODY}"}`;
  const { traceId } = await kit.ask({ method: 'POST', path: '/experience-connections', body });
  assert.equal((await kit.explain(traceId)).status, 422);
});

test('a request is explained when kit time is years ahead, too', async () => {
  for (const by of ['365d', '365d', '1d']) await kit.control('POST', '/clock/advance', { by });
  await refusedFor(kit, 'connections.create.required-field', refusals['connections.create.required-field'] as Ask);
  await kit.control('POST', '/reset', { to: 'seed' });
});

test('nothing of what was tried was delivered to anyone', async () => {
  const before = await present(kit);
  const ask: Ask = {
    method: 'POST',
    path: '/experience-connections',
    body: { accountId: idOf('accounts', 'spare'), experienceId: NOBODY },
  };
  assert.equal((await kit.explained(ask)).change?.status, 201);
  assert.equal(await present(kit), before);
  // What is delivered at last is the first that ever was.
  await kit.ask({ ...ask, body: { accountId: idOf('accounts', 'spare'), experienceId: idOf('experiences', 'agent') } });
  const events = (await receiver.atLeast(1)).map(({ event }) => (event.data as { accountId: string }).accountId);
  assert.deepEqual(events, [idOf('accounts', 'spare')]);
});
