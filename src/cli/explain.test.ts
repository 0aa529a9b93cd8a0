import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { toTerminalText } from '../report/printable.ts';
import { formatExplanation } from './explain.ts';
import { createXpk } from './testing/run.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());
const { xpk } = createXpk(() => ['--url', kit.url]);

async function sendRequest(path: string, traceId = createTraceId(), method = 'GET'): Promise<string> {
  const { full } = await kit.tokens();
  const headers = { authorization: `Bearer ${full}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
  await (await fetch(kit.url + path, { method, headers })).text();
  return traceId;
}
const fixedTraceId = '4bf92f3577b34da6a3ce929d0e0e4736';
let traces = 0;
const createTraceId = () => (++traces).toString(16).padStart(32, '0');

test('xpk explain reports a successful request, and refuses an unknown trace id', async () => {
  assert.equal(
    await xpk(`explain ${await sendRequest('/users/2065550001')}`),
    '200  getUser  GET /users/2065550001\nThe request succeeded: there is nothing to explain.',
  );
  await assert.rejects(xpk('explain nothing'), /no request with this trace id/);
});

test('xpk explain finds a request by its number', async () => {
  await sendRequest('/users/numbered');
  const { data } = await kit.control.GET('/_control/requests', { params: { query: { limit: 1 } } });
  for (const number of [`#${data[0]!.number}`, String(data[0]!.number)])
    assert.match(await xpk('explain', number), /GET \/users\/numbered/);
  await assert.rejects(xpk('explain', '#999999'), /The journal has no request #999999\. xpk logs shows the numbers/);
});

test('xpk explain without a trace id prints where trace ids can be found', async () => {
  await assert.rejects(xpk('explain'), /Give a trace id, or --event/);
  for (const nothing of ['', ' ']) await assert.rejects(xpk('explain', nothing), /Give a trace id, or --event\. xpk logs shows .* traceId/);
});

test('if several requests have the same trace id, xpk explain explains the newest request and lists the older requests', async () => {
  for (let sent = 0; sent < 6; sent++) await sendRequest(`/users/older-${sent}`, fixedTraceId);
  const lines = (await xpk(`explain ${await sendRequest('/users/2065550001', fixedTraceId)}`)).split('\n');
  const at = lines.findIndex((line) => line.startsWith('Others'));
  const [first, ...others] = lines.slice(at);
  assert.equal(first, 'Others   6 older requests had this trace id, too; the newest is explained.');
  assert.deepEqual(
    others.map((line) => line.trim().replace(/^\d+/, 'N')),
    [...[5, 4, 3, 2, 1].map((number) => `N  404  GET /users/older-${number}`), '…'],
  );
});

test("xpk explain prints a problem's detail only if it differs from the reason's text", async () => {
  const printed = await xpk(`explain ${await sendRequest('/users?accountId=northwind')}`);
  assert.match(printed, /^Detail {3}accountId must be a UUID/m);
  assert.doesNotMatch(await xpk(`explain ${await sendRequest('/auth/authorize?client_id=x')}`), /^Detail/m);
});

test('xpk explain escapes control characters in a request', () => {
  const told = {
    traceId: fixedTraceId,
    at: '',
    door: 'service',
    method: 'GET',
    outcome: 'succeeded',
    summary: 'a\u001b[2Jb',
  } as const;
  const text = toTerminalText(formatExplanation({ ...told, path: '/\u001b', request: [] }));
  assert.equal(text, '---  GET /\\u001b\na\\u001b[2Jb');
});

test('xpk explain --event prints the receivers of an event, or why there was no event', async () => {
  assert.match(
    await xpk('explain --event experience.connection.deleted'),
    /^No matching event was published\.\nNo change has published a matching event/,
  );
  const trigger = JSON.parse(await xpk('trigger experience.connection.deactivated --json')) as { entityId: string };
  await kit.settled();
  const [summary, head, ...subscriptions] = (await xpk(`explain --event ${trigger.entityId}`)).split('\n');
  assert.equal(summary, 'One matching event was published.');
  assert.match(head ?? '', new RegExp(`^experience\\.connection\\.deactivated about ${trigger.entityId}, published at`));
  assert.match(subscriptions.join('\n'), /^ {2}\S+: acknowledged \(attempt 1: status 204\)/m);
  await assert.rejects(xpk('explain --event ada --entity ada'), /--event ada names an entity instead of an event type/);
  await assert.rejects(xpk(`explain ${fixedTraceId} --event ada`), /a trace id, or options about an event, not both/);
  await assert.rejects(xpk('explain --event experience.connection.deletd'), /Did you mean "experience\.connection\.deleted"/);
});
