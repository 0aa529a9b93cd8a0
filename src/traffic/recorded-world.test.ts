import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import { createKit, type Kit } from '../kit.ts';
import type { World } from '../world/world.ts';
import type { Exchange } from './exchange.ts';
import { LearnedFacts } from './learned-facts.ts';
import { buildWorld } from './to-world.ts';

const ACCOUNTS = 5;
const USERS = 300;
const SAMPLES = 1000;
const number = (n: number) => `+1206555${String(100 + n).padStart(4, '0')}`;
const series = <Value>(count: number, create: (n: number) => readonly [string, Value]): Record<string, Value> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => create(n)));

/** Five accounts with 300 users and 40 connections, two Experiences of type AGENT, one that may only be read, and principals with different access. */
const ORIGINAL: World = {
  world: 'original',
  providers: { acme: { name: 'Acme' }, globex: { name: 'Globex' } },
  experiences: series(8, (n) => [
    `e${n}`,
    n < 7
      ? { provider: 'acme', name: `Experience ${n}`, type: n < 2 ? ('AGENT' as const) : ('GENERAL' as const) }
      : { provider: 'globex', name: 'Foreign', levels: { acme: 'read' as const } },
  ]),
  accounts: series(ACCOUNTS, (n) => [`a${n}`, { name: `Company ${ACCOUNTS - n}` }]),
  telephoneNumbers: series(20, (n) => [number(n), { account: `a${n % ACCOUNTS}` }]),
  users: series(USERS, (n) => [
    `u${n}`,
    {
      ...{
        account: `a${n % ACCOUNTS}`,
        lastName: `Name ${(n * 7919) % USERS}`,
        nativeIds: [{ style: 'base62' as const, id: `native_${n}` }],
      },
      ...(n % 3 > 0 && { firstName: ['Zoë', 'Ana', 'Łukasz'][n % 3]! }),
    },
  ]),
  principals: {
    manager: { name: 'Manager', accounts: series(ACCOUNTS, (n) => [`a${n}`, 'manage' as const]) },
    reader: { name: 'Reader', accounts: { a0: 'manage', a1: 'manage' } },
  },
  clients: { client: { provider: 'acme', name: 'Client' } },
  assignments: series(20, (n) => [`as${n}`, { experience: `e${n % 8}`, targetType: 'PHONE_NUMBER' as const, target: number(n) }]),
  connections: series(40, (n) => [
    `c${n}`,
    {
      account: `a${n % ACCOUNTS}`,
      experience: `e${Math.floor(n / ACCOUNTS)}`,
      state: n % 2 === 0 ? ('ACTIVE' as const) : ('INACTIVE' as const),
    },
  ]),
  tokens: { manager: { client: 'client', principal: 'manager' }, reader: { client: 'client', principal: 'reader' } },
};

const formUrl = (url: string, { operation, path, query }: Pick<Exchange, 'operation' | 'path' | 'query'>) =>
  `${url}${operations[operation].forms.flat.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name]!))}?${new URLSearchParams(query)}`;

async function send(
  kit: Kit,
  token: string,
  operation: OperationId,
  { path = {}, query = {}, body }: Partial<Exchange> = {},
): Promise<Exchange> {
  const headers = {
    authorization: `Bearer ${(await kit.tokens())[token]}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const request = { operation, path, query, body } as const;
  const response = await fetch(formUrl(kit.url, request), {
    ...{ method: operations[operation].method.toUpperCase(), headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { ...request, status: response.status, answer: text === '' ? undefined : JSON.parse(text), token };
}

/** Sends what several clients would: whole lists, reads of what they contain, changes, and requests that are refused. */
async function generateTraffic(kit: Kit): Promise<Exchange[]> {
  const all: Exchange[] = [];
  const ask = async (token: string, operation: OperationId, request?: Partial<Exchange>) => {
    const exchange = await send(kit, token, operation, request);
    all.push(exchange);
    return exchange.answer as { id: string; cursor?: string | null; entities: Record<string, string>[] };
  };
  const list = async (token: string, operation: OperationId, query: Record<string, string>) => {
    const entities = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const page = await ask(token, operation, { query: { ...query, ...(cursor !== '' && { cursor }) } });
      entities.push(...page.entities);
      cursor = page.cursor;
    }
    return entities;
  };
  const ids = Object.values(
    (await fetch(`${kit.url}/_control/state/accounts`).then((response) => response.json())) as Record<string, { id: string }>,
  );
  for (const token of ['manager', 'reader'])
    for (const { id: accountId } of ids) {
      const users = await list(token, 'getUsers', { accountId, pageSize: '25' });
      for (const sortBy of ['firstName', 'lastName', 'createdAt']) await list(token, 'getUsers', { accountId, sortBy, pageSize: '40' });
      for (const { id } of users) await ask(token, 'getUser', { path: { userId: id! } });
      for (const { id } of await list(token, 'getExperienceConnections', { accountId }))
        await ask(token, 'getExperienceConnection', { path: { experienceConnectionId: id! } });
      for (const { id, targetValue, experienceId } of await list(token, 'getExperienceAssignments', { accountId, pageSize: '3' })) {
        await ask(token, 'getExperienceAssignment', { path: { assignmentId: id! } });
        await list(token, 'getExperienceConnections', { telephoneNumber: targetValue! });
        await ask(token, 'getExperienceAssignability', {
          ...{ path: { experienceId: experienceId! }, query: { targetType: 'PHONE_NUMBER', targetValue: targetValue! } },
        });
      }
    }
  for (let n = 0; n < 10; n++) await ask('manager', 'getUser', { path: { userId: `native_${n}` } });
  const [accountId] = ids.map(({ id }) => id) as [string];
  const connections = await list('manager', 'getExperienceConnections', { accountId });
  for (const { id, state } of connections)
    await ask('manager', 'updateExperienceConnection', {
      ...{ path: { experienceConnectionId: id! }, body: { state: state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE' } },
    });
  const [user] = await list('manager', 'getUsers', { accountId });
  const { id: assignmentId } = await ask('manager', 'createExperienceAssignment', {
    body: { experienceId: connections[0]!.experienceId!, targetType: 'USER', targetValue: user!.id },
  });
  await ask('manager', 'getExperienceAssignment', { path: { assignmentId } });
  const [first] = await list('manager', 'getExperienceAssignments', { accountId });
  await ask('manager', 'deleteExperienceAssignment', { path: { assignmentId: first!.id! } });
  await ask('manager', 'getExperienceAssignment', { path: { assignmentId: first!.id! } });
  return all;
}

const withoutCursor = ({ cursor, traceId: _, instance: __, ...answer }: Record<string, unknown>) => ({
  ...answer,
  hasMore: Boolean(cursor),
});

test('a kit with a recorded world answers as the service did', async () => {
  await using original = await createKit({ port: 0, fixtures: ORIGINAL });
  const traffic = await generateTraffic(original);
  const facts = new LearnedFacts();
  for (const exchange of traffic) facts.learn(exchange);
  assert.deepEqual([facts.users.size, facts.connections.size, facts.accounts.size], [USERS, 40, ACCOUNTS]);
  await using mock = await createKit({ port: 0, fixtures: buildWorld(facts, { name: 'recorded', keepsNames: true }) });
  const reads = traffic.filter(({ operation, query }) => operation.startsWith('get') && query.cursor === undefined);
  const sampled = Array.from({ length: SAMPLES }, (_, n) => reads[Math.floor((n * reads.length) / SAMPLES)]!);
  const names = { manager: 'token-1', reader: 'token-2' } as Readonly<Record<string, string>>;
  for (const { operation, path, query, token } of sampled) {
    // The recording ends in the last state, so its answers are the service's answers at the end.
    const [expected, actual] = await Promise.all([
      send(original, token!, operation, { path, query }),
      send(mock, names[token!]!, operation, { path, query }),
    ]);
    const request = `${token} ${operation} ${JSON.stringify([path, query])}`;
    assert.equal(actual.status, expected.status, request);
    assert.deepEqual(withoutCursor(Object(actual.answer)), withoutCursor(Object(expected.answer)), request);
  }
});

test('a recorded world contains no name, number or id of the service, and lists are in the same order', async () => {
  await using original = await createKit({ port: 0, fixtures: ORIGINAL });
  const facts = new LearnedFacts();
  for (const exchange of await generateTraffic(original)) facts.learn(exchange);
  const world = buildWorld(facts, { name: 'recorded' });
  const text = JSON.stringify(world);
  const secrets = [
    ...facts.users.keys(),
    ...facts.accounts.keys(),
    ...facts.connections.keys(),
    ...facts.numbers.keys(),
    'Zoë',
    'Łukasz',
    'Company',
    'native_1"',
  ];
  assert.deepEqual(
    secrets.filter((each) => text.includes(each)),
    [],
  );
  await using mock = await createKit({ port: 0, fixtures: world });
  const realAccount = [...facts.accounts.keys()].sort()[0]!;
  const account = world.accounts!['account-1']!.id!;
  const listNames = async (kit: Kit, token: string, accountId: string) => {
    const { answer } = await send(kit, token, 'getUsers', { query: { accountId, sortBy: 'lastName', pageSize: '100' } });
    return (answer as { entities: { lastName: string }[] }).entities.map(({ lastName }) => lastName);
  };
  const [real, recorded] = [await listNames(original, 'manager', realAccount), await listNames(mock, 'token-1', account)];
  const all = [...new Set([...facts.users.values()].map(({ lastName }) => lastName!))].sort();
  assert.deepEqual(
    recorded.map((name) => all[Number(name.slice(5)) - 1]),
    real,
  );
});

test('a recorded world has the order of the lists, the scopes of the tokens, and one token for callers with the same access', () => {
  const facts = new LearnedFacts();
  const [accountId, ...ids] = ['a', 'f', 'c', 'e'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`) as [
    string,
    ...string[],
  ];
  const entities = ids.map((id) => ({ id, accountId, experienceId: accountId, state: 'ACTIVE' }));
  const list = { operation: 'getExperienceConnections', path: {}, query: { accountId }, status: 200, answer: { entities } } as const;
  facts.learn({ ...list, token: 'first' });
  facts.learn({ ...list, token: 'second' });
  facts.learn({ ...list, token: 'third' });
  facts.learn({ operation: 'getUsers', path: {}, query: { accountId }, status: 200, answer: { entities: [] }, token: 'first' });
  facts.learn({ operation: 'getUsers', path: {}, query: { accountId }, status: 403, token: 'third' });
  const { connections = {}, tokens = {} } = buildWorld(facts, { name: 'recorded' });
  const recorded = Object.values(connections).map(({ id }) => id!);
  assert.deepEqual(recorded, recorded.toSorted());
  assert.deepEqual(
    Object.values(tokens).map(({ scopes }) => scopes?.includes('users:manage')),
    [undefined, false],
  );
});

test('entities whose times differ only in microseconds keep their order, and a time that is none is omitted', () => {
  const facts = new LearnedFacts();
  const accountId = 'a0000000-0000-4000-8000-000000000000';
  const times = ['12:00:00.0009Z', '12:00:00.0001Z', '13:00:00.000100+01:00', '12:00:00.0005Z', '12:00:01Z', 'soon'];
  const entities = times.map((time, n) => ({ id: `${n}0000000-0000-4000-8000-000000000000`, accountId, createdAt: `2026-03-01T${time}` }));
  facts.learn({ operation: 'getUsers', path: {}, query: { accountId }, status: 200, answer: { entities }, token: 'full' });
  const { users = {} } = buildWorld(facts, { name: 'recorded' });
  assert.deepEqual(
    Object.values(users).map(({ createdAt }) => createdAt?.slice(17)),
    ['00.002Z', '00.000Z', '00.000Z', '00.001Z', '01.000Z', undefined],
  );
});

test('callers that see different things get different tokens, whatever the bodies of connections are', () => {
  const facts = new LearnedFacts();
  const [id, accountId, experienceId] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`) as [
    string,
    string,
    string,
  ];
  const path = { experienceConnectionId: id };
  const learn = (token: string, operation: Exchange['operation'], status: number, more: Partial<Exchange> = {}) =>
    facts.learn({ operation, path, query: {}, status, token, ...more });
  const body = { account: { id: accountId }, experience: { id: experienceId } };
  learn('full', 'createExperienceConnection', 202, { path: {}, body, answer: { connection: { id } } });
  learn('full', 'updateExperienceConnection', 204, { body: { desired: 'ACTIVE' } });
  learn('reader', 'getExperienceConnection', 200, { answer: { id, accountId, experienceId, state: 'ACTIVE' } });
  learn('reader', 'updateExperienceConnection', 403, { body: { desired: 'INACTIVE' } });
  learn('outsider', 'getExperienceConnection', 404);
  const { tokens = {}, connections = {}, principals = {}, experiences = {} } = buildWorld(facts, { name: 'recorded' });
  assert.deepEqual([Object.keys(tokens).length, Object.values(connections).map(({ state }) => state)], [3, ['ACTIVE']]);
  assert.deepEqual(
    Object.values(principals).map(({ accounts }) => accounts?.['account-1']),
    ['manage', 'manage', 'none'],
  );
  assert.deepEqual(experiences['experience-1']?.levels, { 'provider-2': 'read' });
});
