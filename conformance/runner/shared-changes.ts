import type { Change } from '../actors/change-events.ts';
import type { Participants } from '../actors/participants.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import type { Capability } from '../target/capabilities.ts';
import { getReport, note } from '../target/check-report.ts';
import { isRepeated } from './repeated.ts';

type MakeChanges = (participants: Participants) => AsyncIterable<Change>;
type VerifyFunction = (changes: AsyncIterable<Change> | Iterable<Change>) => Promise<unknown>;

interface RecordedChanges {
  readonly changes: readonly Change[];
  /** What the changes needed, in addition to the rest of their check. */
  readonly needed: readonly Capability[];
  readonly optional: readonly Capability[];
}

const recordedChanges = new Map<MakeChanges, RecordedChanges>();

/**
 * Makes changes and verifies their events. Later checks in the same worker first verify the events of the existing changes, and make their
 * own changes only if that fails, because an event may have arrived late. In runs against mutants, every check makes its own changes.
 */
export async function verifyChanges(makeChanges: MakeChanges, participants: Participants, verify: VerifyFunction): Promise<void> {
  const [known, { needed, optional }] = [recordedChanges.get(makeChanges), getReport()];
  if (known !== undefined && (await isPassed(verify(known.changes)))) {
    note(needed, ...known.needed);
    return note(optional, ...known.optional);
  }
  const before = [needed.length, optional.length];
  const changes: Change[] = [];
  await verify(recordChanges(makeChanges(participants), changes));
  const added = { needed: needed.slice(before[0]), optional: optional.slice(before[1]) };
  if (!isRepeated) recordedChanges.set(makeChanges, { changes, ...added });
}

function isPassed(verifying: Promise<unknown>): Promise<boolean> {
  return verifying.then(
    () => true,
    onRuleBroken(() => false),
  );
}

async function* recordChanges(changes: AsyncIterable<Change>, into: Change[]): AsyncGenerator<Change> {
  for await (const change of changes) {
    into.push(change);
    yield change;
  }
}

export function verifyEachChange(
  makeChanges: MakeChanges,
  participants: Participants,
  verify: (change: Change) => Promise<unknown>,
): Promise<void> {
  return verifyChanges(makeChanges, participants, async (changes) => {
    for await (const change of changes) await verify(change);
  });
}
