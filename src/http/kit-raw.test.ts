import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createKit } from '../kit.ts';
import { badInput } from './testing/bad-input.ts';
import type { RawCase } from './testing/raw-case.ts';
import { rawCorpus } from './testing/raw-corpus.ts';
import { type Replayed, replay } from './testing/replay.ts';

const kit = await createKit({ port: 0 });
const impatient = await createKit({ port: 0, timeouts: { headersTimeoutMs: 100, requestTimeoutMs: 200, checkIntervalMs: 20 } });
after(() => Promise.all([kit.close(), impatient.close()]));
const { full = '' } = await kit.tokens();

/** The same bytes from a caller who is known: so that more than the 401 is seen. */
function authorized(one: RawCase): RawCase {
  if (typeof one.bytes !== 'string') return one;
  return { ...one, bytes: one.bytes.replaceAll('Host: localhost\r\n', `Host: localhost\r\nAuthorization: Bearer ${full}\r\n`) };
}

/** Who is not known is told so before the body is read: what is wrong with the body then stays unsaid. */
function unread(one: RawCase): RawCase {
  return one.bytes.includes('POST ') ? { ...one, answers: one.answers.map((statuses) => [401, ...statuses]) } : one;
}

const service = rawCorpus({ read: '/users', write: '/experience/assignments' });
const operator = rawCorpus({ read: '/_control/health', write: '/_control/tokens' });
const doors: readonly (readonly [string, readonly RawCase[]])[] = [
  ['the service, from a stranger', service.map(unread)],
  ['the service, from a known caller', service.map(authorized)],
  ['the control API', operator],
  ['the kit', badInput(full)],
];

async function replayed(cases: readonly RawCase[]): Promise<readonly Replayed[]> {
  const slow = cases.filter((one) => one.slow);
  const fast = cases.filter((one) => !one.slow);
  return [...(await replay(kit.port, fast)), ...(await replay(impatient.port, slow))];
}

// All before the first test: the kits are closed after the last that is known by then.
const all: { readonly door: string; readonly one: Replayed }[] = [];
for (const [door, cases] of doors) all.push(...(await replayed(cases)).map((one) => ({ door, one })));

for (const { door, one } of all) {
  test(`${door}: ${one.name} gets a well-formed answer`, () => {
    assert.deepEqual(one.faults, [], JSON.stringify(one.exchange).slice(0, 2_000));
  });
}

test('no body and no query changes what all objects inherit', () => {
  assert.deepEqual([Reflect.get({}, 'polluted'), Reflect.ownKeys(Object.prototype).includes('polluted')], [undefined, false]);
});

test('after all that the kit still serves', async () => {
  const { status } = await fetch(`${kit.url}/_control/health`);
  assert.equal(status, 200);
});
