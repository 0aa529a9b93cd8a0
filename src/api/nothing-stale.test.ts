import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { createDatabase } from '../store/testing/postgres.ts';
import { ASSIGNMENTS, CONNECTIONS } from '../testing/api-kit.ts';
import { apiWorld, createNumberTarget, createUserTarget, getExperienceId, getId, getOwnAccount, type Target } from './testing/world.ts';

const { accountId, numbers, users } = getOwnAccount(1);
const NUMBER = createNumberTarget(numbers[0]);
const ASSIGNED_TARGET = { experience: 'general', targetType: 'PHONE_NUMBER', target: numbers[0] };

/** A change to the world, and an assignability check's results before and after the change. */
interface WorldChange {
  /** Paths without a leading slash are below `/_control`. */
  readonly given?: readonly Call[];
  readonly target?: Target;
  readonly before: string;
  /** `{id}` in the path is replaced by the id in the response to the last `given` request. */
  readonly change: Call;
  readonly after: string;
}
type Call = readonly [method: string, path: string, body?: object | undefined];

const assign: Call = ['POST', 'state/assignments', ASSIGNED_TARGET];
const WORLD_CHANGES: Readonly<Record<string, WorldChange>> = {
  'an assignment that is created through the API': {
    before: '200 true',
    change: ['POST', ASSIGNMENTS, { experienceId: getExperienceId('general'), ...NUMBER }],
    after: '200 false',
  },
  'an assignment that is deleted through the API': {
    given: [assign],
    before: '200 false',
    change: ['DELETE', `${ASSIGNMENTS}/{id}`],
    after: '200 true',
  },
  'the portal': { before: '200 true', change: ['POST', 'state/assignments?as=portal', ASSIGNED_TARGET], after: '200 false' },
  'a level on the Experience': {
    before: '200 true',
    change: ['PATCH', 'state/experiences/general', { levels: { acme: 'read' } }],
    after: '403',
  },
  'a level on the account': {
    before: '200 true',
    change: ['PATCH', 'state/principals/manager', { accounts: { 'room-1': 'read' } }],
    after: '200 false',
  },
  'deletion of the number': { before: '200 true', change: ['DELETE', `state/telephoneNumbers/${numbers[0]}`], after: '200 false' },
  'deletion of the user': {
    target: createUserTarget(users[0]),
    before: '200 true',
    change: ['DELETE', `state/users/${users[0]}`],
    after: '200 false',
  },
  'deletion of the account, with its users and numbers': {
    before: '200 true',
    change: ['DELETE', `state/accounts/${accountId}`],
    after: '200 false',
  },
  'deletion of the Experience': { before: '200 true', change: ['DELETE', 'state/experiences/general'], after: '404' },
  'deletion of the client': { before: '200 true', change: ['DELETE', 'state/clients/acme-web'], after: '401' },
  'a reset': { given: [assign], before: '200 false', change: ['POST', 'reset', { to: 'seed' }], after: '200 true' },
  'a snapshot': {
    given: [['PUT', 'snapshots/clean'], assign],
    before: '200 false',
    change: ['POST', 'reset', { to: 'clean' }],
    after: '200 true',
  },
  'another world': { before: '200 true', change: ['PUT', 'state', { ...apiWorld, telephoneNumbers: {} }], after: '200 false' },
  'a fault': { before: '200 true', change: ['POST', 'faults', { fault: 'problem', status: 404 }], after: '404' },
  'the clock': { before: '200 true', change: ['POST', 'clock/advance', { by: '2h' }], after: '401' },
};

for (const [engine, kits] of Object.entries({ SQLite: startOnSqlite, PostgreSQL: startTwoReplicasOnPostgres })) {
  test(`on ${engine}, an assignability check immediately reflects every change to the world`, async (t) => {
    const [changed, asked] = await kits();
    t.after(() => Promise.all([...new Set([changed, asked])].map((kit) => kit.close())));
    async function send([method, path, body]: Call, token?: string, { url } = changed) {
      const target = path.startsWith('/') ? path : `/_control/${path}`;
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      const response = await fetch(url + target, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await response.text();
      return { status: response.status, text };
    }
    async function sendSuccessfully(call: Call, token?: string): Promise<string> {
      const { status, text } = await send(call, token);
      assert.ok(status < 300, `${call[0]} ${call[1]}: ${status} ${text}`);
      return text;
    }
    for (const [door, { given = [], target = NUMBER, before, change, after }] of Object.entries(WORLD_CHANGES)) {
      await sendSuccessfully(['POST', 'reset', { to: 'seed' }]);
      const minted = await sendSuccessfully(['POST', 'tokens', { client: 'acme-web', principal: 'manager' }]);
      const { accessToken } = JSON.parse(minted) as { accessToken: string };
      let response = '{}';
      for (const call of given) response = await sendSuccessfully(call);
      const { id } = JSON.parse(response) as { id?: string };
      const path = `/experiences/${getExperienceId('general')}/assignability?${new URLSearchParams({ ...target })}`;
      const check = async () => {
        const { status, text } = await send(['GET', path], accessToken, asked);
        return status === 200 ? `200 ${JSON.parse(text).assignable}` : String(status);
      };
      assert.deepEqual([await check(), await check()], [before, before], `${door}, before`);
      const [method, changedPath, body] = change;
      await sendSuccessfully([method, changedPath.replace('{id}', String(id)), body], accessToken);
      assert.deepEqual([await check(), await check()], [after, after], door);
    }
  });

  test(`on ${engine}, no list continues after a reset, so that no client joins pages of two worlds`, async (t) => {
    const [changed, asked] = await kits();
    t.after(() => Promise.all([...new Set([changed, asked])].map((kit) => kit.close())));
    const change = async (method: string, path: string, body?: object) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${changed.url}/_control/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    };
    const { full } = await asked.tokens();
    const ask = async (path: string) => {
      const response = await fetch(asked.url + path, { headers: { authorization: `Bearer ${full}` } });
      return { status: response.status, body: (await response.json()) as { cursor?: string; type?: string } };
    };
    await change('PUT', 'snapshots/saved');
    for (const [method, path, body] of [
      ['POST', 'reset', { to: 'seed' }],
      ['POST', 'reset', { to: 'saved' }],
      ['PUT', 'state', apiWorld],
    ] as const)
      for (const [list, refusal] of [
        [`/users?accountId=${getId('accounts', 'crowd')}&pageSize=1`, 'users.list.cursor-malformed'],
        [`${CONNECTIONS}?accountId=${accountId}&pageSize=1`, 'lists.cursor.invalid'],
        [`${ASSIGNMENTS}?accountId=${accountId}&pageSize=1`, 'lists.cursor.invalid'],
      ] as const) {
        for (const target of numbers) await change('POST', 'state/assignments', { ...ASSIGNED_TARGET, target });
        for (const experience of ['general', 'agent']) await change('POST', 'state/connections', { account: accountId, experience });
        const next = `${list}&cursor=${(await ask(list)).body.cursor}`;
        assert.equal((await ask(next)).status, 200, list);
        await change(method, path, body);
        const { status, body: problem } = await ask(next);
        assert.deepEqual([status, problem.type], [400, `/problems/${refusal}`], `${list} after ${method} ${path}`);
      }
  });
}

type Kits = readonly [changed: Kit, asked: Kit];

async function startOnSqlite(): Promise<Kits> {
  const kit = await createKit({ port: 0, fixtures: apiWorld });
  return [kit, kit];
}

async function startTwoReplicasOnPostgres(): Promise<Kits> {
  const settings = { port: 0, fixtures: apiWorld, database: await createDatabase() };
  return [await createKit(settings), await createKit(settings)];
}
