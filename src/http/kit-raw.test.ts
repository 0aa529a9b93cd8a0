import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createKit } from '../kit.ts';
import { badInput } from './testing/bad-input.ts';
import { type RawCase, rawCorpus } from './testing/raw-corpus.ts';
import { replay } from './testing/replay.ts';

const kit = await createKit({ port: 0 });
const withShortTimeouts = await createKit({ port: 0, timeouts: { headersTimeoutMs: 200, requestTimeoutMs: 300, checkIntervalMs: 20 } });
after(() => Promise.all([kit.close(), withShortTimeouts.close()]));
const { full = '' } = await kit.tokens();

const cases: Readonly<Record<string, readonly RawCase[]>> = {
  'the service': rawCorpus({ read: '/users', write: '/experience/assignments', headers: `Authorization: Bearer ${full}\r\n` }),
  'the control API': rawCorpus({ read: '/_control/health', write: '/_control/tokens' }),
  'the kit': badInput(full),
};

// Before the first test: `after` closes the kits when all tests registered so far have ended.
const replayed = [];
for (const [api, corpus] of Object.entries(cases)) {
  const fast = await replay(
    kit.port,
    corpus.filter(({ slow }) => !slow),
  );
  const slow = await replay(
    withShortTimeouts.port,
    corpus.filter(({ slow }) => slow),
  );
  replayed.push(...[...fast, ...slow].map((one) => ({ api, ...one })));
}

for (const { api, name, faults, exchange } of replayed) {
  test(`${api}: ${name} gets a well-formed response`, () => {
    assert.deepEqual(faults, [], JSON.stringify(exchange).slice(0, 2_000));
  });
}

test('no body and no query changes Object.prototype', () => {
  assert.deepEqual([Reflect.get({}, 'polluted'), Reflect.ownKeys(Object.prototype).includes('polluted')], [undefined, false]);
});

test('the kit still responds afterwards', async () => {
  const { status } = await fetch(`${kit.url}/_control/health`);
  assert.equal(status, 200);
});
