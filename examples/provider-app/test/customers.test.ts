// `npm run check:client` starts a kit, sets its URLs in the environment, and runs these tests.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Kit } from 'experience-provider-kit';
import { startApp, startKit } from './start-app.ts';

let kit: Kit | undefined;
/** The kit's time minus the local time, in milliseconds. The application uses the kit's time. */
let offsetMs = 0;
let service: Pick<Kit, 'url' | 'authUrl'>;
let app: Awaited<ReturnType<typeof startApp>>;
before(async () => {
  const { XPK_URL: url, XPK_AUTH_URL: authUrl } = process.env;
  if (!url || !authUrl) kit = await startKit();
  service = kit ?? { url: url!, authUrl: authUrl! };
  app = await startApp(service, () => Date.now() + offsetMs);
});
after(async () => {
  app.close();
  await kit?.close();
});

/** Connects a customer. Repeats a refused login once, because `xpk check client --provoke` sends one wrong state. */
async function connect(account: string, number: string) {
  const first = await app.connect(account, number);
  return first.status === 400 ? app.connect(account, number) : first;
}

test('a customer with an unknown account gets an error', async () => {
  const { status, error } = await connect('00000000-0000-4000-8000-000000000000', '+12065550110');
  assert.equal(status, 409, error);
});

test('after a login, the connection is active, the number is assigned, and all users are known', async () => {
  const { status, connectionId, error } = await connect('bakery', '+12065550111');
  assert.equal(status, 200, error);
  const { connections, assignments, total } = await app.state();
  assert.equal(connections[connectionId]?.state, 'ACTIVE');
  assert.equal(Object.keys(assignments).length, 1);
  assert.equal(total, 120);
});

test("a customer's second number is added to the same connection", async () => {
  const [first, second] = [await connect('bakery', '+12065550111'), await connect('bakery', '+12065550112')];
  assert.equal(second.connectionId, first.connectionId);
  assert.equal(Object.keys((await app.state()).assignments).length, 2);
});

test('the total counts the users of all customers', async () => {
  assert.equal((await connect('clinic', '+12065550121')).status, 200);
  assert.equal((await app.state()).total, 123);
});

test('a number that cannot be assigned gets 409', async () => {
  const { status, error } = await connect('clinic', '+12065550122');
  assert.equal(status, 409);
  assert.match(error ?? '', /cannot be used/);
});

test('a customer can connect again shortly before the access token expires', async () => {
  const headers = { 'content-type': 'application/json' };
  const advanced = await fetch(`${service.url}/_control/clock/advance`, { method: 'POST', headers, body: '{"by":"59m30s"}' });
  ({ offsetMs } = (await advanced.json()) as { offsetMs: number });
  assert.equal((await connect('bakery', '+12065550111')).status, 200);
});
