import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rawCorpus } from './testing/raw-corpus.ts';
import { replay } from './testing/replay.ts';
import { startTinyService } from './testing/tiny-service.ts';

const corpus = rawCorpus({ read: '/hello', write: '/echo' });
const service = await startTinyService();
const withShortTimeouts = await startTinyService({ headersTimeoutMs: 60, requestTimeoutMs: 120, checkIntervalMs: 20, lingerMs: 50 });
after(() => Promise.all([service.close(0), withShortTimeouts.close(0)]));

const replayed = await replay(
  service.port,
  corpus.filter(({ slow }) => !slow),
);
replayed.push(
  ...(await replay(
    withShortTimeouts.port,
    corpus.filter(({ slow }) => slow),
  )),
);

for (const { name, faults, exchange } of replayed) {
  test(`a raw socket that sends ${name} gets a well-formed response`, () => {
    assert.deepEqual(faults, [], JSON.stringify(exchange));
  });
}

test('nothing that a raw socket sends is logged as an unexpected error', () => {
  assert.deepEqual([...service.logged, ...withShortTimeouts.logged], []);
});
