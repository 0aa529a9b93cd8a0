import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rawCorpus } from './testing/raw-corpus.ts';
import { replay } from './testing/replay.ts';
import { startTinyService } from './testing/tiny-service.ts';

const corpus = rawCorpus({ read: '/hello', write: '/echo' });
const service = await startTinyService();
const impatient = await startTinyService({ headersTimeoutMs: 60, requestTimeoutMs: 120, checkIntervalMs: 20, lingerMs: 50 });
after(() => Promise.all([service.close(0), impatient.close(0)]));

const replayed = await replay(
  service.port,
  corpus.filter(({ slow }) => !slow),
);
replayed.push(
  ...(await replay(
    impatient.port,
    corpus.filter(({ slow }) => slow),
  )),
);

for (const { name, faults, exchange } of replayed) {
  test(`a raw socket that sends ${name} gets a well-formed answer`, () => {
    assert.deepEqual(faults, [], JSON.stringify(exchange));
  });
}

test('nothing a raw socket sends is an unexpected error', () => {
  assert.deepEqual([...service.logged, ...impatient.logged], []);
});
