import type { EventType } from '../../src/contract/generated/events.ts';
import { compareInstants, isSameInstant, sameId } from '../expect/compare.ts';
import { type Delivery, dataOf, type EventMatch, eventFindings, eventOf, isObject, type Members, mentions } from '../expect/event.ts';
import { must, onRuleBroken, RuleBroken } from '../expect/rule-broken.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Inbox } from './inbox.ts';

/** The event that a change must publish. */
export interface ExpectedEvent extends EventMatch {
  readonly inbox: Inbox;
  readonly type: EventType;
}

/** A change that was made, and its event. */
export interface Change extends ExpectedEvent {
  /** The id of the changed entity, and others that only its events contain. */
  readonly ids: readonly [string, ...string[]];
  /** The Experience that the change is about. */
  readonly experienceId: string;
  /** What the data of the event says of the entity. */
  readonly data: Readonly<Record<string, string>>;
}

/** Waits for the event of a change that another rule demands. If it does not come, the check ends as not testable. */
export function waitForEvent(change: ExpectedEvent, isRight?: (delivery: Delivery) => boolean): Promise<Delivery> {
  return change.inbox.waitForEvent(change, isRight);
}

/** Handles an event that did not come: the check ends as not testable. */
export function notDelivered(type: EventType): (error: unknown) => never {
  return onRuleBroken(() => notTestable(`${type}, which was not delivered after the change`));
}

/**
 * Expects one of the events of a change to be right. If there is no event at all, the check ends as not testable.
 * @param expected a clause @returns the right event @throws RuleBroken if there are events and none is right
 */
export async function expectEvent(
  change: ExpectedEvent,
  isRight: (data: Members, delivery: Delivery) => boolean,
  expected: string,
): Promise<Delivery> {
  const { inbox, type } = change;
  try {
    return await inbox.until(
      () => inbox.matching(change).find((delivery) => isRight(dataOf(delivery), delivery)),
      `${type} says that ${expected}`,
    );
  } catch (error) {
    if (inbox.matching(change).length === 0) notDelivered(type)(error);
    throw error;
  }
}

/** Expects fields of data. Ids are compared without letter case. @throws RuleBroken */
export async function expectFields(change: ExpectedEvent, fields: Readonly<Record<string, string>>): Promise<void> {
  const expected = Object.entries(fields).map(([name, value]) => `${name} is ${value}`);
  await expectEvent(change, (data) => Object.entries(fields).every(([name, value]) => sameId(data[name], value)), expected.join(' and '));
}

/** As waitForEvent. An event without data is found by its type, as most ids are in data. */
function waitForEventWithOrWithoutData({ inbox, type, ids }: ExpectedEvent): Promise<Delivery> {
  const isOfChange = (delivery: Delivery) =>
    eventOf(delivery).type === type && (mentions(delivery, ids) || !isObject(eventOf(delivery).data));
  return inbox.until(() => inbox.deliveries.find(isOfChange), `${type} is delivered`).catch(notDelivered(type));
}

/** Expects a member of the event to fit the contract. @param pointer such as /data/accountId @throws RuleBroken */
export async function expectMember(change: ExpectedEvent, pointer: string): Promise<void> {
  const delivery = await (pointer === '/data' ? waitForEventWithOrWithoutData(change) : waitForEvent(change));
  // An event without data breaks another rule.
  if (pointer.startsWith('/data/') && !isObject(eventOf(delivery).data)) notTestable(`the data of ${change.type}`);
  const finding = eventFindings(change.type, delivery).find((each) => each.pointer === pointer);
  if (finding) throw new RuleBroken(`${pointer} of ${change.type} ${finding.message}.\nDelivered: ${delivery.text.slice(0, 500)}`);
}

/** Waits for the event of a change, or for one whose type has the wrong form. @throws RuleBroken if the form is wrong */
export async function expectTypeForm({ inbox, type, ids }: ExpectedEvent): Promise<void> {
  const hasForm = (delivery: Delivery) =>
    eventFindings(type, delivery).every(({ pointer, keyword }) => pointer !== '/type' || keyword === 'const');
  const isOfChange = (delivery: Delivery) => mentions(delivery, ids) && (eventOf(delivery).type === type || !hasForm(delivery));
  const found = await inbox.until(() => inbox.deliveries.find(isOfChange), `${type} is delivered`).catch(notDelivered(type));
  must(hasForm(found), `an event carries a type in the form domain.entity.action, not ${JSON.stringify(eventOf(found).type)}`);
}

/** The updatedAt in the event of a change. A missing one breaks another rule and ends the check as not testable. */
async function updatedAtOf(change: ExpectedEvent): Promise<string> {
  const { updatedAt } = dataOf(await waitForEvent(change));
  return typeof updatedAt === 'string' ? updatedAt : notTestable(`the updatedAt of ${change.type}`);
}

/** Expects the event to carry the same instant. @param updatedAt as the API shows it @throws RuleBroken */
export async function expectUpdatedAt(change: ExpectedEvent, updatedAt: string): Promise<void> {
  await updatedAtOf(change);
  const isSame = (data: Members) => typeof data.updatedAt === 'string' && isSameInstant(data.updatedAt, updatedAt);
  await expectEvent(change, isSame, `updatedAt is ${updatedAt}`);
}

/**
 * Expects that of two changes to the same entity the later one does not have the earlier updatedAt. They may be equal: a clock may have whole seconds.
 * @throws RuleBroken
 */
export async function expectUpdatedAtInOrder(changes: AsyncIterable<Change>): Promise<void> {
  const latest = new Map<string, string>();
  for await (const change of changes) {
    const [id] = change.ids;
    const before = latest.get(id);
    let updatedAt = await updatedAtOf(change);
    if (before !== undefined) {
      const isInOrder = (data: Members) => typeof data.updatedAt === 'string' && compareInstants(before, data.updatedAt) <= 0;
      const right = await expectEvent(change, isInOrder, `updatedAt is not earlier than ${before} of the change before`);
      updatedAt = String(dataOf(right).updatedAt);
    }
    latest.set(id, updatedAt);
  }
}

/** A subscription that must get an event. @property name for messages: "for types …" */
export interface Subscribed {
  readonly inbox: Inbox;
  readonly name: string;
}

/** Expects the event of a change at this subscription. @throws RuleBroken */
export function expectEventAt({ inbox, name }: Subscribed, change: ExpectedEvent): Promise<Delivery> {
  return inbox.until(() => inbox.matching(change)[0], `${change.type} is delivered ${name}`);
}

/** Expects the event of a change at every subscription. @returns false if none got it: it was not published @throws RuleBroken if only some got it */
export async function expectEventAtAll(subscriptions: readonly Subscribed[], change: ExpectedEvent): Promise<boolean> {
  const missed: RuleBroken[] = [];
  await Promise.all(subscriptions.map((each) => expectEventAt(each, change).catch(onRuleBroken((error) => missed.push(error)))));
  const [first] = missed;
  if (first && missed.length < subscriptions.length) throw first;
  return first === undefined;
}

/** Clocks differ, but not by as much as a time zone, or by a factor of thousand. */
const SKEW_MS = 10 * 60_000;

/** Reads a clock of the target. @returns a function that expects a time, in milliseconds since 1970, to lie between this call and its own */
export async function startClock(
  need: Need,
  clock: 'events.now' | 'events.sent-now',
): Promise<(ms: number, what: string) => Promise<void>> {
  const now = await need(clock);
  const begun = await now();
  return async (ms, what) => {
    const ended = await now();
    const expected = `${what}, which is between ${formatTime(begun)} and ${formatTime(ended)}, not ${formatTime(ms)}`;
    must(ms >= begun - SKEW_MS && ms <= ended + SKEW_MS, expected);
  };
}

function formatTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms}` : date.toISOString();
}
