import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from './sequence.ts';
import { shorten } from './shorten.ts';

/** A difference that needs some of the commands. Each command creates a connection, and the last mentions what the first created. */
function createTarget(needed: readonly number[]) {
  const tries: (readonly number[])[] = [];
  const run = (positions: readonly number[]): Outcome | undefined => {
    if (!needed.every((position) => positions.includes(position))) return undefined;
    const dialogue = positions.map((position) => `POST /experience/connections (new connection ${position >> 2}) → 201`);
    return {
      ...{ difference: { rule: 'connections.only-changed', message: `Expected ACTIVE in new connection ${needed[0]! >> 2}` }, dialogue },
      ...{ commandOf: positions.map((_, index) => index), performed: positions.indexOf(needed.at(-1)!) + 1 },
      ...{
        ids: {},
        created: {},
        script: '',
        isUndecided: false,
        eventsMs: 0,
        steps: positions.length,
        looks: 0,
        reached: new Set<string>(),
      },
    };
  };
  const isShown = async (positions: readonly number[]) => {
    tries.push(positions);
    return run(positions);
  };
  return { first: (whole: readonly number[]) => run(whole)!, isShown, tries };
}

const WHOLE = Array.from({ length: 16 }, (_, index) => 4 * index);

test('what names the entity of the difference is tried first, each command alone', async () => {
  const { first, isShown, tries } = createTarget([19]);
  const sequential = WHOLE.map((position) => position + 3);
  await shorten(sequential, first(sequential), isShown, () => false);
  assert.deepEqual(tries[0], [19]);
});

test('only the necessary commands remain, and those that must be sent at the same moment still are', async () => {
  for (const needed of [[12], [0, 60], [4, 28, 32], [16, 20, 24, 56]]) {
    const { first, isShown, tries } = createTarget(needed);
    assert.deepEqual(await shorten(WHOLE, first(WHOLE), isShown, () => false), needed);
    assert.ok(tries.length < 60, `${tries.length} tries`);
  }
});

test('when the time is over, the shortest sequence so far remains', async () => {
  const { first, isShown, tries } = createTarget([4, 40]);
  const kept = await shorten(WHOLE, first(WHOLE), isShown, () => tries.length > 6);
  assert.ok(kept.length > 2 && kept.length < 11 && kept.includes(4) && kept.includes(40), kept.join());
});
