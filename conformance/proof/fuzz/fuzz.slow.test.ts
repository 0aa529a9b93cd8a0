import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FuzzResponse } from './client.ts';
import { INTERFACES, operations } from './operations.ts';
import { type Exchange, runCampaign, startSubject } from './subject.ts';
import { findViolations } from './violations.ts';

// A fixed seed makes failures repeatable. Other seeds: FUZZ_SEED=$RANDOM npm run test:file -- conformance/proof/fuzz/fuzz.slow.test.ts
const seed = Number(process.env.FUZZ_SEED ?? 3);
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test('5,000 generated requests get no 5xx and corrupt no data', async (t) => {
  const subject = await startSubject('sqlite');
  t.after(() => subject.close());
  assert.deepEqual(await runCampaign(subject, seed, 5_000, INTERFACES), []);
  const known = new Set(operations.map(({ operationId }) => operationId));
  const succeeded = [...known].filter((id) => subject.succeeded.has(id));
  assert.ok(succeeded.length > known.size * 0.8, `only ${succeeded.join(', ')} succeeded`);
});

test('kits on SQLite and on PostgreSQL send equal responses to generated API requests', async (t) => {
  const subjects = await Promise.all((['sqlite', 'postgres'] as const).map(startSubject));
  t.after(() => Promise.all(subjects.map((subject) => subject.close())));
  for (let n = seed; n < seed + 800; n++) {
    const exchanges = await Promise.all(subjects.map((subject) => subject.send(n, ['api'])));
    // Skip 429s, which depend on the machine's speed, not on the engine.
    if (exchanges.some(({ response }) => response.status === 429)) continue;
    const [onSqlite, onPostgres] = exchanges.map(removeVariableParts);
    assert.equal(onPostgres, onSqlite, `${exchanges[0]!.request.method} ${exchanges[0]!.request.target}`);
  }
  const api = operations.filter(({ interfaceName }) => interfaceName === 'api').map(({ operationId }) => operationId);
  const failed = api.filter((id) => !subjects[1]!.succeeded.has(id));
  assert.deepEqual(failed, [], `operations that never succeeded: ${failed.join(', ')}`);
});

function removeVariableParts({ request, response: { status, text } }: Exchange): string {
  if (status < 400 && request.operation === undefined) return String(status);
  if (status >= 400) return `${status} ${(JSON.parse(text || '{}') as { type?: string }).type}`;
  return `${status} ${text.replaceAll(UUID, '…').replaceAll(/"(updatedAt|cursor)":"[^"]+"/g, '"$1":"…"')}`;
}

const operation = operations.find(({ operationId }) => operationId === 'health')!;
const sent = { operation, method: 'GET', target: operation.path, headers: [], body: undefined };
const valid: FuzzResponse = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  text: '{"status":"up","engine":"sqlite","parts":{"database":{"status":"up"}}}',
};
for (const [change, report] of [
  [{}, /^$/],
  [{ status: 500 }, /^status 500/],
  [{ text: '{"status":"sideways"}' }, /the body's \/status must be one of/],
  [{ text: '{' }, /^the body is not JSON/],
  [{ status: 206 }, /^status 206, which is not documented/],
  [{ status: 404 }, /a 404 with the content type application\/json/],
  [{ status: 0, text: 'socket hang up' }, /^no response: socket hang up/],
] as const) {
  test(`if ${JSON.stringify(change)} overrides a valid response, the reported violations match ${report}`, () =>
    assert.match(findViolations(sent, { ...valid, ...change }).join('; '), report));
}
