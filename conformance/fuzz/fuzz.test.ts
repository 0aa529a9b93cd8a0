import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../src/contract/generated/operations.ts';
import { requestsOf } from './campaign.ts';
import { runInLockstep } from './lockstep.ts';
import { pastValidation, stepHistogram } from './report.ts';
import { startSubject } from './subject.ts';
import { unstorable } from './unstorable.ts';

// Fixed, so that a failure can be seen again. Other requests: FUZZ_SEED=$RANDOM node --import tsx --test conformance/fuzz/fuzz.test.ts
const seed = Number(process.env.FUZZ_SEED ?? 20_260_301);
const requests = 3_000;

const sqlite = await startSubject('sqlite', 1);
const postgres = await startSubject('postgres', 1);
const odd = await runInLockstep(sqlite, postgres, unstorable());
const any = await runInLockstep(sqlite, postgres, requestsOf(seed, requests));
await Promise.all([sqlite.close(), postgres.close()]);

test('whatever is asked, no answer is a 5xx, and every refusal is a problem with a trace id', () => {
  assert.deepEqual([...odd.faults, ...any.faults], [], `seed ${seed}`);
});

test('both engines answer NUL and lone surrogates in every place alike', () => {
  assert.deepEqual(odd.differences, []);
});

test('both engines answer whatever is asked with the same status and problem type, or the same entities in the same order', () => {
  assert.deepEqual(any.differences, [], `seed ${seed}`);
});

test('at least a third of what is asked gets past validation, and every operation succeeds part of the time', () => {
  assert.ok(pastValidation(sqlite) > 1 / 3, stepHistogram(sqlite));
  const succeeded = new Set(sqlite.observed.filter(({ step }) => step === 'done').map(({ operationId }) => operationId));
  assert.deepEqual([...succeeded].sort(), Object.keys(operations).sort());
});
