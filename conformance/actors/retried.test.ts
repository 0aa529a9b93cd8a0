import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from './receiver.ts';
import { type Beside, isDecisive, isRetried, keepsUp, nothingRests } from './retried.ts';

const MS = 5000;
const sent = (...seconds: number[]): Delivery[] =>
  seconds.map((each) => ({ method: 'POST', headers: {}, text: '', json: undefined, at: each * 1000 }));

/** What is made of what came of one that fails, one that was acknowledged somehow, and one that was acknowledged with 204. */
function judged(failed: Delivery[], acknowledged: Delivery[], plain: Delivery[]) {
  const beside: Beside = { failed, came: [acknowledged, plain], ms: MS };
  if (!isRetried(beside)) return nothingRests(beside) ? 'nothing rests' : 'shows nothing';
  if (!keepsUp(beside, acknowledged)) return 'rests';
  return isDecisive(beside) ? 'keeps coming' : 'suspect';
}

const thrice = (all: Delivery[]): Parameters<typeof judged> => [all, all, all];
const ONCE = sent(0);
const THREE = sent(0, 0.2, 0.4);
const SCHEDULE = sent(0, 0.1, 0.3, 0.7);
const servers: [string, ReturnType<typeof judged>, ...Parameters<typeof judged>][] = [
  ['sends each event once, and repeats what fails', 'rests', SCHEDULE, ONCE, ONCE],
  ['repeats one of the acknowledged by accident', 'rests', SCHEDULE, sent(0, 2), ONCE],
  ['repeats what it should take for acknowledged', 'keeps coming', SCHEDULE, SCHEDULE, ONCE],
  ['does so, and is at the first repeat yet', 'suspect', sent(0, 5), sent(0, 5), ONCE],
  ['sends some twice, and is at the first repeat yet', 'rests', sent(0, 5), sent(0, 0.8), ONCE],
  ['sends everything three times, and repeats what fails', 'rests', sent(0, 0.2, 0.4, 5, 5.2, 5.4), THREE, THREE],
  ['sends everything three times, and has repeated nothing yet', 'shows nothing', ...thrice(THREE)],
  ['sends everything five times within half a second', 'shows nothing', ...thrice(sent(0, 0.1, 0.2, 0.3, 0.4))],
  ['sends everything twice and never again', 'shows nothing', ...thrice(sent(0, 2.5))],
  ['heeds no answer', 'nothing rests', ...thrice(sent(0, 0.1, 0.3, 0.7, 1.5, 3.1))],
];
for (const [what, expected, failed, acknowledged, plain] of servers)
  test(`a server that ${what}: ${expected}`, () => assert.equal(judged(failed, acknowledged, plain), expected));
