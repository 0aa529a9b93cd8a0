import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createKit } from '../kit.ts';
import { badInput } from './testing/bad-input.ts';
import type { RawCase } from './testing/raw-case.ts';
import { rawCorpus } from './testing/raw-corpus.ts';
import { type Replayed, replay } from './testing/replay.ts';

const kit = await createKit({ port: 0 });
const withShortTimeouts = await createKit({ port: 0, timeouts: { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 } });
after(() => Promise.all([kit.close(), withShortTimeouts.close()]));
const { full = '' } = await kit.tokens();

/** The same bytes with a valid token, so that the request passes authentication. */
function authorized(one: RawCase): RawCase {
  if (typeof one.bytes !== 'string') return one;
  return { ...one, bytes: one.bytes.replaceAll('Host: localhost\r\n', `Host: localhost\r\nAuthorization: Bearer ${full}\r\n`) };
}

/** Without a token the service may respond with 401 before it reads the body. */
function unauthorized(one: RawCase): RawCase {
  return one.bytes.includes('POST ') ? { ...one, answers: one.answers.map((statuses) => [401, ...statuses]) } : one;
}

const service = rawCorpus({ read: '/users', write: '/experience/assignments' });
const operator = rawCorpus({ read: '/_control/health', write: '/_control/tokens' });
const apis: readonly (readonly [string, readonly RawCase[]])[] = [
  ['the service without a token', service.map(unauthorized)],
  ['the service with a token', service.map(authorized)],
  ['the control API', operator],
  ['the kit', badInput(full)],
];

async function replayed(cases: readonly RawCase[]): Promise<readonly Replayed[]> {
  const slow = cases.filter((one) => one.slow);
  const fast = cases.filter((one) => !one.slow);
  return [...(await replay(kit.port, fast)), ...(await replay(withShortTimeouts.port, slow))];
}

// Before the first test: `after` closes the kits when all tests registered so far have ended.
const all: { readonly api: string; readonly one: Replayed }[] = [];
for (const [api, cases] of apis) all.push(...(await replayed(cases)).map((one) => ({ api, one })));

for (const { api, one } of all) {
  test(`${api}: ${one.name} gets a well-formed response`, () => {
    assert.deepEqual(one.faults, [], JSON.stringify(one.exchange).slice(0, 2_000));
  });
}

test('no body and no query changes Object.prototype', () => {
  assert.deepEqual([Reflect.get({}, 'polluted'), Reflect.ownKeys(Object.prototype).includes('polluted')], [undefined, false]);
});

test('the kit still responds afterwards', async () => {
  const { status } = await fetch(`${kit.url}/_control/health`);
  assert.equal(status, 200);
});
