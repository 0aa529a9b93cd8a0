import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toExchange } from '../exchange.ts';
import { createCalls } from '../testing/calls.ts';
import { Twin } from './twin.ts';

const ACCOUNT = '11111111-1111-7111-8111-111111111111';
const [EXPERIENCE, OTHER] = ['22222222-2222-7222-8222-222222222222', '22222222-2222-7222-8222-333333333333'];
const NUMBER = '+12065550100';

function createTraffic(caller?: string | null) {
  const { calls, ...others } = createCalls(caller);
  return {
    ...others,
    judge() {
      const twin = new Twin();
      twin.follow(calls.flatMap((call) => toExchange(call, '') ?? []));
      const broken = twin.conclude().filter(({ shown }) => shown.broken !== undefined);
      return { twin, rules: broken.map(({ rule }) => rule), broken };
    },
  };
}

const connection = (id: string, state = 'ACTIVE', second = 0, experienceId = EXPERIENCE) => ({
  ...{ id, accountId: ACCOUNT, experienceId, state },
  updatedAt: `2026-03-01T11:00:${String(second).padStart(2, '0')}.000Z`,
});
const assignment = (id: string, experienceId = EXPERIENCE) => ({
  ...{ id, accountId: ACCOUNT, experienceId, targetType: 'PHONE_NUMBER', targetValue: NUMBER },
  updatedAt: '2026-03-01T11:00:00.000Z',
});
const problem = (status: number) => ({ title: 'Refused', status, traceId: 'x' });
const [CONNECTIONS, ASSIGNMENTS] = ['/experience/connections', '/experience/assignments'];

for (const [title, later, rules] of [
  ['is seen again', connection('c1'), ['connections.create.exists']],
  ['was deleted by somebody else', undefined, []],
] as const)
  test(`a second connection breaks a rule only if the first one exists after it: the first one ${title}`, () => {
    const { send, judge } = createTraffic();
    send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
    send('POST', CONNECTIONS, 201, connection('c2'), { account: { id: ACCOUNT }, experience: { id: EXPERIENCE } });
    send('GET', `${CONNECTIONS}/c1`, later ? 200 : 404, later ?? problem(404));
    const { rules: found, broken } = judge();
    assert.deepEqual(found, rules);
    if (later) assert.match(broken[0]!.shown.broken!, /the request gets 409, because the connection c1 exists, as #3 shows/);
  });

for (const [title, second, age, rules] of [
  ['has not changed meanwhile', 0, 2000, ['connections.update.same-state']],
  ['may have changed twice', 7, 2000, []],
  ['may have changed twice in the same second', 0, 1000, []],
  ['does not show when it was changed', undefined, 2000, []],
] as const)
  test(`an accepted update to the state that a connection has breaks a rule only if the connection ${title}`, () => {
    const { send, judge, wait } = createTraffic();
    const show = (at: number | undefined) => ({ ...connection('c1', 'ACTIVE', at), ...(at === undefined && { updatedAt: undefined }) });
    send('GET', `${CONNECTIONS}/c1`, 200, show(second && 0));
    wait(age);
    send('PUT', `${CONNECTIONS}/c1`, 200, undefined, { desired: 'ACTIVE' });
    send('GET', `${CONNECTIONS}/c1`, 200, show(second));
    assert.deepEqual(judge().rules, rules);
  });

test('two updates to the same state break no rule if somebody else may have changed the connection between them', () => {
  const { send, judge } = createTraffic();
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'INACTIVE'));
  send('PUT', `${CONNECTIONS}/c1`, 200, undefined, { state: 'ACTIVE' });
  send('PUT', `${CONNECTIONS}/c1`, 200, undefined, { state: 'ACTIVE' });
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'ACTIVE', 1));
  assert.deepEqual(judge().rules, []);
});

test('nothing is expected of a request that overlaps with a change to the same account', () => {
  const { send, judge, wait } = createTraffic();
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
  send('PUT', `${CONNECTIONS}/c1`, 200, undefined, { state: 'INACTIVE' }, 500);
  send('PUT', `${CONNECTIONS}/c1`, 200, undefined, { state: 'ACTIVE' });
  wait(1000);
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'ACTIVE', 1));
  assert.deepEqual(judge().rules, []);
});

test('a change that no request explains is somebody else’s, and one that follows each refusal is the service’s', () => {
  const { send, judge } = createTraffic();
  for (let second = 0; second < 4; second += 1) {
    send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'ACTIVE', second));
    send('PUT', `${CONNECTIONS}/c1`, 409, problem(409), { state: 'ACTIVE' });
    if (second === 0) assert.deepEqual(judge().rules, []);
  }
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'ACTIVE', 4));
  const { twin, rules } = judge();
  assert.deepEqual([rules, twin.changesElsewhere.length], [['connections.update.same-state-unchanged'], 4]);
});

test('changes by somebody else that only sometimes follow a request are not the service’s', () => {
  const { send, judge } = createTraffic();
  for (let round = 0; round < 40; round += 1) {
    send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'ACTIVE', Math.floor(round / 2)));
    const target = { targetType: 'PHONE_NUMBER', targetValue: `+1206555${1000 + round}` };
    send('POST', ASSIGNMENTS, 201, assignment(`a${round}`), { experienceId: OTHER, ...target });
  }
  const { twin, rules } = judge();
  assert.deepEqual(rules, []);
  assert.ok(twin.changesElsewhere.length > 10);
});

test('changes by somebody else who often changes one account, but no other, are not the service’s', () => {
  const { send, judge } = createTraffic();
  for (let second = 0; second < 30; second += 1) {
    send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'ACTIVE', second));
    if (second % 2 === 0) send('POST', CONNECTIONS, 403, problem(403), { account: { id: ACCOUNT }, experience: { id: OTHER } });
    for (let reads = 0; reads < 20; reads += 1) {
      const other = connection(`c${reads + 2}`, 'ACTIVE', 0);
      send('GET', `${CONNECTIONS}/${other.id}`, 200, { ...other, accountId: OTHER });
    }
  }
  const { twin, rules } = judge();
  assert.deepEqual([rules, twin.changesElsewhere.length], [[], 29]);
});

test('a connection is not deleted while a number is assigned', () => {
  const { send, judge } = createTraffic();
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
  send('GET', `${ASSIGNMENTS}?accountId=${ACCOUNT}`, 200, { entities: [assignment('a1')], cursor: null, pageSize: 100 });
  send('DELETE', `${CONNECTIONS}/c1`, 204);
  send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
  assert.deepEqual(judge().rules, ['connections.delete.numbers-assigned']);
});

test('a list contains what was known long before, unless it is gone', () => {
  for (const [later, rules] of [
    [assignment('a1'), ['assignments.list.by-account']],
    [undefined, []],
  ] as const) {
    const { send, judge, wait } = createTraffic();
    send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
    wait(11_000);
    send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
    send('GET', `${ASSIGNMENTS}?accountId=${ACCOUNT}`, 200, { entities: [], cursor: null, pageSize: 100 });
    send('GET', `${ASSIGNMENTS}/a1`, later ? 200 : 404, later ?? problem(404));
    assert.deepEqual(judge().rules, rules);
  }
});

for (const [title, pause, caller, rules] of [
  ['it is found shortly before and after it', 0, 'a', ['assignments.get.found', 'assignments.list.by-account']],
  ['the caller may have lost the access', 6000, 'a', []],
  ['the callers are not known', 0, null, []],
] as const)
  test(`an entity that is not shown breaks a rule only if the caller has access to it: ${title}`, () => {
    const { send, judge, wait } = createTraffic(caller);
    for (const [path, status, body] of [
      [`${ASSIGNMENTS}/a1`, 404, problem(404)],
      [`${ASSIGNMENTS}?accountId=${ACCOUNT}`, 200, { entities: [], cursor: null, pageSize: 100 }],
    ] as const) {
      send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
      wait(11_000);
      send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
      wait(pause);
      send('GET', path, status, body);
      wait(pause);
      send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
    }
    assert.deepEqual(judge().rules, rules);
  });

test('one list does not contain two connections of the same account and Experience', () => {
  const { send, judge } = createTraffic();
  send('GET', `${CONNECTIONS}?accountId=${ACCOUNT}`, 200, { entities: [connection('c1'), connection('c2')], cursor: null, pageSize: 100 });
  assert.deepEqual(judge().rules, ['connections.create.exists']);
});

test('decisions are observed', () => {
  const { send, judge } = createTraffic();
  send('POST', CONNECTIONS, 202, { connection: connection('c1') }, { account: { id: ACCOUNT }, experience: { id: EXPERIENCE } });
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
  send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
  send('POST', ASSIGNMENTS, 422, problem(422), { experienceId: EXPERIENCE, targetType: 'PHONE_NUMBER', targetValue: NUMBER });
  const second = connection('c2', 'ACTIVE', 1, OTHER);
  send('POST', CONNECTIONS, 202, { connection: second }, { account: { id: ACCOUNT }, experience: { id: OTHER } });
  const page = { entities: [second, connection('c1')], cursor: null, pageSize: 2 };
  send('GET', `${CONNECTIONS}?accountId=${ACCOUNT}`, 200, page);
  const { twin } = judge();
  assert.deepEqual(Object.fromEntries(twin.listDecisions().map(({ decision, value }) => [decision, value])), {
    'connections.create.status': 202,
    'connections.create.initial-state': 'ACTIVE',
    'assignments.create.duplicate': 422,
    'lists.order': 'newest-first',
    'lists.page-size': 'held',
  });
});

test('an entity that was created again with the same id breaks no rule', () => {
  const { send, judge } = createTraffic();
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
  send('GET', `${CONNECTIONS}/c1`, 404, problem(404));
  send('POST', CONNECTIONS, 201, connection('c1', 'ACTIVE', 1), { accountId: ACCOUNT, experienceId: EXPERIENCE });
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1', 'ACTIVE', 1));
  assert.deepEqual(judge().rules, []);
});

test('a number may move to another account', () => {
  const { send, judge, wait } = createTraffic();
  const list = (...entities: readonly object[]) => ({ entities, cursor: null, pageSize: 100 });
  const byNumber = `${CONNECTIONS}?telephoneNumber=${encodeURIComponent(NUMBER)}`;
  send('GET', `${ASSIGNMENTS}/a1`, 200, assignment('a1'));
  send('GET', byNumber, 200, list(connection('c1')));
  wait(11_000);
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
  send('GET', byNumber, 200, list());
  send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
  send('GET', `${ASSIGNMENTS}/a1`, 200, { ...assignment('a1'), accountId: OTHER });
  assert.deepEqual(judge().rules, []);
});

for (const [title, account, rules] of [
  ['sees something of the account', ACCOUNT, ['connections.create.success']],
  ['may not see the account', OTHER, []],
] as const)
  test(`a connection is created if there is none, and the caller ${title}`, () => {
    const { send, judge, wait } = createTraffic();
    for (let round = 0; round < 3; round += 1) {
      send('GET', `${CONNECTIONS}?accountId=${ACCOUNT}&experienceId=${EXPERIENCE}`, 200, { entities: [], cursor: null, pageSize: 100 });
      send('GET', `/users/${NUMBER.slice(1)}`, 200, { id: OTHER, accountId: account, createdAt: '2026-03-01T11:00:00Z' });
      send('POST', CONNECTIONS, 409, problem(409), { accountId: ACCOUNT, experienceId: EXPERIENCE });
      wait(11_000);
    }
    assert.deepEqual([...new Set(judge().rules)], rules);
  });

test('a deletion may be refused because of the numbers of other accounts', () => {
  const { send, judge, wait } = createTraffic();
  for (let round = 0; round < 3; round += 1) {
    send('GET', `${CONNECTIONS}/c1`, 200, connection('c1'));
    send('GET', `${ASSIGNMENTS}?accountId=${ACCOUNT}`, 200, { entities: [], cursor: null, pageSize: 100 });
    send('DELETE', `${CONNECTIONS}/c1`, 409, problem(409));
    wait(11_000);
  }
  assert.deepEqual(judge().rules, []);
});

test('a date in a form that cannot be compared is the same as before if its text is', () => {
  const { send, judge } = createTraffic();
  const user = { id: OTHER, accountId: ACCOUNT, createdAt: '20260301T110000Z' };
  send('GET', `/users/${OTHER}`, 200, user);
  send('GET', `/users/${OTHER}`, 200, user);
  assert.deepEqual(judge().rules, []);
});
