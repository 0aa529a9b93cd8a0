import { test } from '@playwright/test';
import type { Change } from '../actors/change-events.ts';
import type { Participants } from '../actors/participants.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import { isRepeated } from './repeated.ts';

type MakeChanges = (participants: Participants) => AsyncIterable<Change>;
type Verify = (changes: AsyncIterable<Change> | Iterable<Change>) => Promise<unknown>;

interface Recorded {
  readonly changes: readonly Change[];
  /** The capabilities that the check needed for the changes, as annotations. */
  readonly capabilities: ReturnType<typeof test.info>['annotations'];
}

/** The changes that a check of this worker made and verified, with their events. */
const recorded = new Map<MakeChanges, Recorded>();

/**
 * Verifies the events of changes. The first check of a worker makes the changes, and the next checks verify the events that it received. A
 * check that refuses these events makes the changes itself and decides on its own events, because an event may have arrived after the first
 * check had ended. With mutants, each check runs against a separate server, so it makes the changes itself.
 * @param verify must wait for the event of each change
 */
export async function verifyChanges(makeChanges: MakeChanges, participants: Participants, verify: Verify): Promise<void> {
  const { annotations } = test.info();
  const known = recorded.get(makeChanges);
  if (known !== undefined && (await passes(verify(known.changes)))) return void annotations.push(...known.capabilities);
  const [changes, before] = [[] as Change[], annotations.length];
  await verify(recording(makeChanges(participants), changes));
  if (!isRepeated) recorded.set(makeChanges, { changes, capabilities: annotations.slice(before) });
}

function passes(verifying: Promise<unknown>): Promise<boolean> {
  return verifying.then(
    () => true,
    onRuleBroken(() => false),
  );
}

async function* recording(changes: AsyncIterable<Change>, into: Change[]): AsyncGenerator<Change> {
  for await (const change of changes) {
    into.push(change);
    yield change;
  }
}

/** Verifies the events of changes one by one (verifyChanges). */
export function verifyEachChange(
  makeChanges: MakeChanges,
  participants: Participants,
  verify: (change: Change) => Promise<unknown>,
): Promise<void> {
  return verifyChanges(makeChanges, participants, async (changes) => {
    for await (const change of changes) await verify(change);
  });
}
