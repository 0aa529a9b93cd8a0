import type { EventType } from '../../src/contract/generated/events.ts';
import { compareInstants, isSameInstant } from '../../src/contract/instants.ts';
import { type Delivery, type Members, parseEvent, parseEventData, validateEvent } from '../../src/expect/event.ts';
import { isObject } from '../../src/expect/response.ts';
import { must, RuleBroken } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import { containsAnyId, type EventMatch } from '../expect/event.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import type { Need } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import type { Inbox } from './inbox.ts';

export interface ExpectedEvent extends EventMatch {
  readonly inbox: Inbox;
  readonly type: EventType;
}

export interface Change extends ExpectedEvent {
  /** The ids that identify the entity's events. The first is the entity's own id. */
  readonly ids: readonly [string, ...string[]];
  readonly experienceId: string;
  /** Members that the event's `data` must contain. */
  readonly data: Readonly<Record<string, string>>;
}

export function handleMissingEvent(change: ExpectedEvent): (error: unknown) => Promise<never> {
  return onRuleBroken((error) => change.inbox.handleMissingEvent(change, error));
}

/**
 * Expects `isRight` to accept one of the change's events. If no event arrives, calls Inbox.handleMissingEvent.
 * @param expected the expected data, for the error message, such as "updatedAt is 2026-01-01T00:00:00Z"
 * @throws RuleBroken if events arrive, but `isRight` accepts none of them
 */
export async function expectEvent(
  change: ExpectedEvent,
  isRight: (data: Members, delivery: Delivery) => boolean,
  expected: string,
): Promise<Delivery> {
  const { inbox, type } = change;
  try {
    return await inbox.waitUntil(
      () => inbox.filterDeliveries(change).find((delivery) => isRight(parseEventData(delivery), delivery)),
      `${type} says that ${expected}`,
    );
  } catch (error) {
    if (inbox.filterDeliveries(change).length === 0) await handleMissingEvent(change)(error);
    throw error;
  }
}

/**
 * Ignores case in values.
 * @throws RuleBroken
 */
export async function expectFields(change: ExpectedEvent, fields: Readonly<Record<string, string>>): Promise<void> {
  const expected = Object.entries(fields).map(([name, value]) => `${name} is ${value}`);
  await expectEvent(change, (data) => Object.entries(fields).every(([name, value]) => isSameId(data[name], value)), expected.join(' and '));
}

/** If an event has no `data`, only its type must be right. */
function waitForEventWithOrWithoutData(change: ExpectedEvent): Promise<Delivery> {
  const { inbox, type, ids } = change;
  const isEventOfChange = (delivery: Delivery) =>
    parseEvent(delivery).type === type && (containsAnyId(delivery, ids) || !isObject(parseEvent(delivery).data));
  return inbox.waitUntil(() => inbox.deliveries.find(isEventOfChange), `${type} is delivered`).catch(handleMissingEvent(change));
}

/** @param pointer a JSON pointer, such as /data/accountId @throws RuleBroken */
export async function expectMember(change: ExpectedEvent, pointer: string): Promise<void> {
  const delivery = await (pointer === '/data' ? waitForEventWithOrWithoutData(change) : change.inbox.waitForEvent(change));
  // An event without `data` breaks another rule, so this check ends as not testable.
  if (pointer.startsWith('/data/') && !isObject(parseEvent(delivery).data)) endAsNotTestable(`${change.type} has no data`);
  const finding = validateEvent(change.type, delivery).find((each) => each.pointer === pointer);
  if (finding) throw new RuleBroken(`${pointer} of ${change.type} ${finding.message}.\nDelivered: ${delivery.text.slice(0, 500)}`);
}

/** @throws RuleBroken if the type is malformed */
export async function expectEventTypeFormat(change: ExpectedEvent): Promise<void> {
  const { inbox, type, ids } = change;
  const hasTypeFormat = (delivery: Delivery) =>
    validateEvent(type, delivery).every(({ pointer, keyword }) => pointer !== '/type' || keyword === 'const');
  const isEventOfChange = (delivery: Delivery) =>
    containsAnyId(delivery, ids) && (parseEvent(delivery).type === type || !hasTypeFormat(delivery));
  const found = await inbox
    .waitUntil(() => inbox.deliveries.find(isEventOfChange), `${type} is delivered`)
    .catch(handleMissingEvent(change));
  must(hasTypeFormat(found), `the event's type has the form domain.entity.action, not ${JSON.stringify(parseEvent(found).type)}`);
}

async function requireUpdatedAt(change: ExpectedEvent): Promise<string> {
  const { updatedAt } = parseEventData(await change.inbox.waitForEvent(change));
  return typeof updatedAt === 'string' ? updatedAt : endAsNotTestable(`${change.type} has no updatedAt`);
}

/** Expects the event's updatedAt to be the given instant, in any notation. @throws RuleBroken */
export async function expectUpdatedAt(change: ExpectedEvent, updatedAt: string): Promise<void> {
  await requireUpdatedAt(change);
  const isSame = (data: Members) => typeof data.updatedAt === 'string' && isSameInstant(data.updatedAt, updatedAt);
  await expectEvent(change, isSame, `updatedAt is ${updatedAt}`);
}

/**
 * Expects each event's updatedAt not to be earlier than the previous one's. Equal values are allowed, because clocks may count whole
 * seconds.
 * @throws RuleBroken
 */
export async function expectUpdatedAtInOrder(changes: AsyncIterable<Change> | Iterable<Change>): Promise<void> {
  const latest = new Map<string, string>();
  for await (const change of changes) {
    const [id] = change.ids;
    const before = latest.get(id);
    let updatedAt = await requireUpdatedAt(change);
    if (before !== undefined) {
      const isInOrder = (data: Members) => typeof data.updatedAt === 'string' && compareInstants(before, data.updatedAt) <= 0;
      const right = await expectEvent(change, isInOrder, `updatedAt is not earlier than ${before}, the updatedAt of the previous change`);
      updatedAt = String(parseEventData(right).updatedAt);
    }
    latest.set(id, updatedAt);
  }
}

/** The largest allowed difference between two clocks, in milliseconds: smaller than the difference between two time zones. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000;

/**
 * Reads one of the target's clocks.
 * @returns a function that expects a time (in milliseconds) between this reading and a second one, with a tolerance of MAX_CLOCK_SKEW_MS
 */
export async function startClock(
  need: Need,
  clock: 'events.now' | 'events.sent-now',
): Promise<(ms: number, what: string) => Promise<void>> {
  const now = await need(clock);
  const begun = await now();
  let latest = begun;
  return async (ms, what) => {
    if (!(ms <= latest + MAX_CLOCK_SKEW_MS)) latest = await now();
    const expected = `${what}, which is between ${formatTime(begun)} and ${formatTime(latest)}, not ${formatTime(ms)}`;
    must(ms >= begun - MAX_CLOCK_SKEW_MS && ms <= latest + MAX_CLOCK_SKEW_MS, expected);
  };
}

function formatTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms}` : date.toISOString();
}
