import { dataOf, type Members } from '../actors/inbox.ts';
import { notTestable } from '../target/not-testable.ts';
import { compareInstants, isSameInstant } from './instants.ts';
import { type Change, mustTell, told } from './told.ts';

/** The updatedAt that the event of a change carries. Where it carries none the check ends as not testable: that is the matter of another rule. */
export async function updatedAtOf(change: Change): Promise<string> {
  const { updatedAt } = dataOf(await told(change));
  return typeof updatedAt === 'string' ? updatedAt : notTestable(`the updatedAt of ${change.type}`);
}

/**
 * Sees that of two changes to the same the later one does not have the earlier updatedAt: equal they may be, by a clock of one second.
 * @param of what a change is to. @throws RuleBroken
 */
export async function mustNotGoBack<Any extends Change>(changes: AsyncIterable<Any>, of: (change: Any) => string): Promise<void> {
  const latest = new Map<string, string>();
  for await (const change of changes) latest.set(of(change), await notBefore(change, latest.get(of(change))));
}

async function notBefore(change: Change, before: string | undefined): Promise<string> {
  const any = await updatedAtOf(change);
  if (before === undefined) return any;
  const isLater = ({ updatedAt }: Members) => typeof updatedAt === 'string' && compareInstants(before, updatedAt) <= 0;
  return String(dataOf(await mustTell(change, isLater, `updatedAt is not earlier than ${before} of the change before`)).updatedAt);
}

/** @param updatedAt as it was shown. @throws RuleBroken unless the event carries the same instant */
export async function mustHaveUpdatedAt(change: Change, updatedAt: string): Promise<void> {
  await updatedAtOf(change);
  await mustTell(
    change,
    (data) => typeof data.updatedAt === 'string' && isSameInstant(data.updatedAt, updatedAt),
    `updatedAt is ${updatedAt}`,
  );
}
