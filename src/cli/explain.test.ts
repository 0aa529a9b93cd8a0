import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { explainCommand, explanationInWords } from './explain.ts';
import { verbsAt } from './testing/printed.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());
const { xpk, json } = verbsAt(() => kit, { explain: explainCommand });

async function ask(path: string, method = 'GET'): Promise<string> {
  const { full } = await kit.tokens();
  const headers = { authorization: `Bearer ${full}`, traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  await (await fetch(kit.url + path, { method, headers })).text();
  return trace;
}
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

test('xpk explain tells the rule, the part of the request, the state and the change', async () => {
  const tailspin = await kit.store.db.selectFrom('accounts').select('id').where('alias', '=', 'tailspin').executeTakeFirstOrThrow();
  const printed = await xpk(`explain ${await ask('/users/aLoNe_19-05')}`);
  assert.deepEqual(
    printed.split('\n').map((line) => line.replaceAll(tailspin.id, 'TAILSPIN')),
    [
      '404  getUser  GET /users/aLoNe_19-05',
      'Rule     users.get.not-found (documented, Endpoints › GET /users/{userId})',
      '         A user that does not exist, that the caller may not view (404, not 403), or whose id style is unsupported gets 404.',
      'Request  path userId: aLoNe_19-05',
      'State    The user aLoNe_19-05 existed. The principal had the level none on the account TAILSPIN. The level read was needed.',
      'Change   Give the principal manager the level read on the account tailspin.',
      '         PATCH /_control/state/principals/manager {"accounts":{"tailspin":"read"}}',
      '         Tried on a copy of the world: 200.',
      'Now      The same request gets the same answer in the present world.',
    ],
  );
});

test('xpk explain --json is the answer of the control API', async () => {
  const { outcome, change } = await json(`explain ${await ask('/users?accountId=northwind')}`);
  assert.deepEqual([outcome, change.succeeds], ['refused', true]);
  assert.match(change.request.path, /^\/users\?accountId=[\w-]{36}$/);
});

test('xpk explain says where there is nothing to explain, and where there is no such trace', async () => {
  assert.equal(
    await xpk(`explain ${await ask('/users/2065550001')}`),
    '200  getUser  GET /users/2065550001\nIt succeeded: there is nothing to explain.',
  );
  await assert.rejects(xpk('explain nothing'), /no request of this trace id/);
});

test('what was sent cannot move the cursor of whoever reads an explanation', () => {
  const told = {
    traceId: trace,
    at: '',
    door: 'service',
    method: 'GET',
    outcome: 'succeeded',
    summary: 'a\u001b[2Jb',
  } as const;
  assert.equal(explanationInWords({ ...told, path: '/\u001b', request: [] }), '---  GET /?\na?[2Jb');
});
