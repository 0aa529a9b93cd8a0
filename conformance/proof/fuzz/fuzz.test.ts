import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runCampaign } from './campaign.ts';
import type { FuzzResponse } from './client.ts';
import { DOORS, operations } from './operations.ts';
import { anyRequest } from './requests.ts';
import { type Exchange, startSubject } from './subject.ts';

// Fixed, so that a failure repeats. For other requests: FUZZ_SEED=$RANDOM node --import tsx --test conformance/proof/fuzz/fuzz.test.ts
const seed = Number(process.env.FUZZ_SEED ?? 20_260_301);
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test('1,000 generated requests to all doors get no 5xx and break no content, and most operations succeed', async (t) => {
  const subject = await startSubject({ engine: 'sqlite', connections: 32 });
  t.after(() => subject.close());
  const failures = await runCampaign(subject, { requests: 1_000, seed, doors: DOORS, inFlight: 32 });
  assert.deepEqual(failures, []);
  const known = new Set(operations.map(({ operationId }) => operationId));
  const succeeded = [...known].filter((id) => subject.succeeded.has(id));
  assert.ok(succeeded.length > known.size * 0.8, `only ${succeeded.join(', ')} succeeded`);
});

test('both engines respond alike to generated requests to the API', async (t) => {
  const engines = ['sqlite', 'postgres'] as const;
  const subjects = await Promise.all(engines.map((engine) => startSubject({ engine, connections: 1 })));
  t.after(() => Promise.all(subjects.map((subject) => subject.close())));
  for (const request of fc.sample(anyRequest(['api']), { seed, numRuns: 500 })) {
    const exchanges = await Promise.all(subjects.map((subject) => subject.send(request)));
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

test('the fuzz reports what is wrong with a response or the content', async (t) => {
  let change: Partial<FuzzResponse> = {};
  const tamper = (response: FuzzResponse) => ({ ...response, ...change });
  const subject = await startSubject({ engine: 'sqlite', connections: 1, tamper });
  t.after(() => subject.close());
  const sample = fc.sample(anyRequest(['control']), { seed, numRuns: 1_000 });
  const isPlain = ({ operation, method, headers }: (typeof sample)[number]) =>
    operation.operationId === 'health' && method === 'GET' && headers.length === 0;
  const request = sample.find(isPlain)!;
  const planted: readonly (readonly [Partial<FuzzResponse>, RegExp])[] = [
    [{}, /^$/],
    [{ status: 500 }, /^status 500/],
    [{ text: '{"status":"sideways"}' }, /the body's \/status must be one of/],
    [{ text: '{' }, /^a body that is not JSON/],
    [{ status: 206 }, /^status 206, which is not documented/],
    [{ status: 404 }, /^a 404 with the content type application\/json/],
    [{ status: 0, text: 'socket hang up' }, /^no response: socket hang up/],
  ];
  for (const [planting, report] of planted) {
    change = planting;
    assert.match((await subject.send(request)).violations.join('; '), report);
  }
  change = {};
  assert.deepEqual(await subject.checkContent(), []);
  let responses = 0;
  change = {
    get text() {
      return `{"world":"demo","description":"${++responses}"}`;
    },
  };
  assert.match((await subject.checkContent()).join(), /a dump that changes when it is loaded/);
});
