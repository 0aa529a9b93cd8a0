import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHitDecider } from './faults.ts';

const REQUESTS = Array.from({ length: 200 }, (_, index) => index + 1);

const listAffected = (terms: Parameters<typeof createHitDecider>[0], order: readonly number[] = REQUESTS) => {
  const hitOf = createHitDecider(terms);
  return order.filter((seen) => hitOf(seen).isHit);
};

test('a fault skips the first `after` requests and affects the next `times` requests', () => {
  assert.deepEqual(listAffected({ after: 3, times: 2 }), [4, 5]);
  assert.deepEqual(listAffected({ after: 198 }), [199, 200]);
  assert.equal(createHitDecider({ after: 3, times: 2 })(200).hits, 2);
  assert.equal(createHitDecider({ after: 3, times: 2 })(0).hits, 0);
});

test('with the same seed, a fault with a probability affects the same requests, in whatever order they are counted', () => {
  const terms = { probability: 0.5, seed: 7, after: 10, times: 40 };
  const hits = listAffected(terms);
  assert.equal(hits.length, 40);
  assert.ok(hits[0]! > 10 && hits.at(-1)! > 60 && hits.at(-1)! < 140, String(hits));
  assert.deepEqual(
    listAffected(terms, REQUESTS.toReversed()).toSorted((a, b) => a - b),
    hits,
  );
  assert.notDeepEqual(listAffected({ ...terms, seed: 8 }), hits);
  assert.deepEqual(
    hits.map((seen) => createHitDecider(terms)(seen).hits),
    hits.map((_, index) => index + 1),
  );
});

test('a fault with the probability 0 affects no request, even if the random number is 0', () => {
  assert.equal(createHitDecider({ probability: 0, seed: 3_095_237_153 })(1).isHit, false);
});

test('with a latency range, each request gets a random latency, and a seed always produces the same latencies', () => {
  const drawLatencies = () => REQUESTS.map((seen) => createHitDecider({ latencyMs: 100, latencyMaxMs: 109, seed: 1 })(seen).latencyMs);
  assert.deepEqual(new Set(drawLatencies()), new Set([100, 101, 102, 103, 104, 105, 106, 107, 108, 109]));
  assert.deepEqual(drawLatencies().slice(0, 6), [109, 102, 107, 109, 104, 104]);
  assert.equal(createHitDecider({ latencyMs: 100 })(1).latencyMs, 100);
});
