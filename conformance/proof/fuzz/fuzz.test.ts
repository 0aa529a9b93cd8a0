import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FuzzResponse } from './client.ts';
import { DOORS, operations } from './operations.ts';
import { type Exchange, runCampaign, startSubject } from './subject.ts';
import { violations } from './violations.ts';

// Fixed, so that a failure repeats. For other requests: FUZZ_SEED=$RANDOM node --import tsx --test conformance/proof/fuzz/fuzz.test.ts
const seed = Number(process.env.FUZZ_SEED ?? 20_260_301);
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test('1,000 generated requests to all doors get no 5xx and break no content, and most operations succeed', async (t) => {
  const subject = await startSubject('sqlite');
  t.after(() => subject.close());
  assert.deepEqual(await runCampaign(subject, seed, 1_000, DOORS), []);
  const known = new Set(operations.map(({ operationId }) => operationId));
  const succeeded = [...known].filter((id) => subject.succeeded.has(id));
  assert.ok(succeeded.length > known.size * 0.8, `only ${succeeded.join(', ')} succeeded`);
});

test('both engines respond alike to generated requests to the API', async (t) => {
  const subjects = await Promise.all((['sqlite', 'postgres'] as const).map(startSubject));
  t.after(() => Promise.all(subjects.map((subject) => subject.close())));
  for (let n = seed; n < seed + 500; n++) {
    const exchanges = await Promise.all(subjects.map((subject) => subject.send(n, ['api'])));
    // How much fits into a second of wall time does not depend on the engine.
    if (exchanges.some(({ response }) => response.status === 429)) continue;
    const [one, two] = exchanges.map(comparable);
    assert.equal(two, one, `${exchanges[0]!.request.method} ${exchanges[0]!.request.target}`);
  }
});

/** Without the ids and times that a kit generates. */
function comparable({ request, response: { status, text } }: Exchange): string {
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
  [{ text: '{' }, /^a body that is not JSON/],
  [{ status: 206 }, /^status 206, which is not documented/],
  [{ status: 404 }, /a 404 with the content type application\/json/],
  [{ status: 0, text: 'socket hang up' }, /^no response: socket hang up/],
] as const) {
  test(`the fuzz reports ${report.source}`, () => assert.match(violations(sent, { ...valid, ...change }).join('; '), report));
}
