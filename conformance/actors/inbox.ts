import type { RuleId } from '../../src/contract/generated/rules.ts';
import type { Delivery } from '../../src/expect/event.ts';
import { RuleBroken } from '../../src/expect/rule-broken.ts';
import { RULE_BY_EVENT_TYPE } from '../../src/expect/rule-names.ts';
import { type EventMatch, matchesEvent } from '../expect/event.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import type { WaitingTimes } from '../target/capabilities.ts';
import { endAsNotTestable, endWithBrokenRule, extendTimeout, getReport } from '../target/check-report.ts';
import type { Mailbox } from './receiver.ts';

export interface Inbox extends Pick<Mailbox, 'setReaction'>, Pick<InboxSettings, 'isNarrow'> {
  readonly subscriptionId: string;
  /** All deliveries, in the order of arrival. */
  readonly deliveries: readonly Delivery[];
  filterDeliveries(match: EventMatch): readonly Delivery[];
  /**
   * Waits for an event that the rule under test requires. If it does not arrive, calls handleMissingEvent.
   * @param expected the clause after "Expected that" in the error message
   */
  expectEvent(match: EventMatch, expected?: string): Promise<Delivery>;
  /** Waits for an event that `isRight` accepts. If none arrives, calls handleMissingEvent. */
  waitForEvent(match: EventMatch, isRight?: (delivery: Delivery) => boolean): Promise<Delivery>;
  /**
   * Ends the check because an event did not arrive in time.
   * - If the event may still arrive, the check is not testable.
   * - Otherwise, if the rule under test requires the event, throws `error`.
   * - Otherwise, reports the rule that requires the event as broken, and the check is not testable.
   * @param isExpected whether the rule under test requires the event
   */
  handleMissingEvent(match: EventMatch, error: RuleBroken, isExpected?: boolean): Promise<never>;
  /**
   * Ends the check because a delivery was not repeated within the time limit (`events.repeats`). See handleMissingEvent.
   * @param count how often the event has been delivered
   * @param rule the rule that requires the repeat; default: the rule under test
   */
  handleMissingRepeat(error: RuleBroken, count: number, rule?: RuleId): Promise<never>;
  /**
   * Calls `look` until it returns a value.
   * @param expected the clause after "Expected that" in the error message
   * @param ms the longest wait, in milliseconds; default: the longest delivery time of an event
   * @throws RuleBroken if `look` returns no value in time
   */
  waitUntil<Found>(look: () => Found | undefined, expected: string, ms?: number): Promise<Found>;
  /** @throws RuleBroken if the event arrived */
  expectNoEvent(match: EventMatch, expected: string): Promise<void>;
  /**
   * Makes a change and waits for its event. Then waits a little for delayed events about earlier changes.
   * @returns the change's event
   */
  settle(): Promise<Delivery>;
}

interface InboxSettings {
  readonly mailbox: Mailbox;
  readonly subscriptionId: string;
  readonly patience: WaitingTimes;
  /** Whether the subscription gets only some event types, or only one Experience's events. */
  readonly isNarrow: boolean;
  /** All the check's inboxes, including this one. */
  readonly all: readonly Inbox[];
  /** Ends the check as not testable if the profile states no delivery time. */
  readonly requireDeliveryTime: () => Promise<unknown>;
  /** Whether no delivery to the subscription is pending. Undefined if the target does not report that. */
  readonly isIdle?: (() => Promise<boolean>) | undefined;
  /** Makes a change that does not affect the check. @returns the change's event */
  readonly makeChange: () => Promise<EventMatch>;
}

const POLL_INTERVAL_MS = 100;
/** The longest time, in milliseconds, that a delivery may take to pass through a proxy. */
const MAX_TRANSIT_MS = 50;

export function createInbox(settings: InboxSettings): Inbox {
  const { mailbox, subscriptionId, patience, isNarrow, all, requireDeliveryTime, isIdle, makeChange } = settings;

  function findBrokenRule(match: EventMatch) {
    const isElsewhere = all.some((other) => other !== inbox && other.filterDeliveries(match).length > 0);
    if (isElsewhere || all.every((each) => each.isNarrow)) return 'events.subscription.every-match';
    return match.rule ?? (match.type && RULE_BY_EVENT_TYPE[match.type]);
  }

  const inbox: Inbox = {
    subscriptionId,
    isNarrow,
    deliveries: mailbox.deliveries,
    setReaction: mailbox.setReaction,
    filterDeliveries: (match) => mailbox.deliveries.filter((delivery) => matchesEvent(delivery, match)),
    expectEvent: (match, expected = `${describeMatch(match)} is delivered`) =>
      inbox
        .waitUntil(() => inbox.filterDeliveries(match)[0], expected)
        .catch(onRuleBroken((error) => inbox.handleMissingEvent(match, error, true))),
    waitForEvent: (match, isRight = () => true) =>
      inbox
        .waitUntil(() => inbox.filterDeliveries(match).find(isRight), `${describeMatch(match)} is delivered`)
        .catch(onRuleBroken((error) => inbox.handleMissingEvent(match, error))),

    async handleMissingEvent(match, error, isExpected = false) {
      const { type = 'an event' } = match;
      if (!(await isIdle?.())) await requireDeliveryTime();
      const rule = findBrokenRule(match);
      if (isExpected || rule === undefined) throw error;
      return endWithBrokenRule(rule, error, `${type} was not delivered`);
    },

    async handleMissingRepeat(error, count, rule) {
      // The target repeats even acknowledged events, so the second delivery may or may not be the required repeat.
      if (isIdle === undefined && count > 1)
        endAsNotTestable(
          'the target repeated an acknowledged event as often as an unacknowledged event, so it is unclear whether the repeats are retries',
        );
      if (isIdle && !(await isIdle())) endAsNotTestable('a delivery was not repeated in time, and the target still has events to send');
      if (rule === undefined) throw error;
      return endWithBrokenRule(rule, error, 'an unacknowledged delivery was not repeated in time');
    },

    async waitUntil(look, expected, ms = patience.eventMs) {
      const begun = performance.now();
      let askedAt = begun;
      const already = look();
      if (already !== undefined) return already;
      extendTimeout(ms);
      for (let isLast = false; ; ) {
        const found = look();
        if (found !== undefined) return found;
        const left = ms - (performance.now() - begun);
        if (isLast || left <= 0 || mailbox.isClosed)
          throw new RuleBroken(`Expected that ${expected}, within ${Math.round(ms / 100) / 10} s.\n${describeDeliveries(mailbox)}`);
        const now = performance.now();
        // When the target reports that no delivery is pending, the last delivery may be in transit.
        if (isIdle && now - askedAt >= POLL_INTERVAL_MS) {
          askedAt = now;
          isLast = await isIdle();
        }
        await mailbox.waitForDelivery(Math.min(left, isLast ? MAX_TRANSIT_MS : POLL_INTERVAL_MS));
      }
    },

    async expectNoEvent(match, expected) {
      await inbox.settle();
      const deliveries = inbox.filterDeliveries(match).slice(0, 1);
      if (deliveries.length > 0) throw new RuleBroken(`Expected that ${expected}.\n${describeDeliveries({ ...mailbox, deliveries })}`);
    },

    async settle() {
      getReport().bounded = true;
      const match = await makeChange();
      await inbox.waitForEvent(match);
      extendTimeout(patience.eventMs + patience.graceMs);
      const begun = performance.now();
      while (isIdle && performance.now() - begun < patience.eventMs && !(await isIdle())) await mailbox.waitForDelivery(MAX_TRANSIT_MS);
      const end = performance.now() + patience.graceMs;
      for (let left = patience.graceMs; left > 0; left = end - performance.now()) await mailbox.waitForDelivery(left);
      return inbox.filterDeliveries(match)[0] as Delivery;
    },
  };
  return inbox;
}

const describeMatch = ({ type, ids }: EventMatch) => `${type ?? 'an event'} with ${ids.join(' or ')}`;

const MAX_DELIVERIES_SHOWN = 5;

function describeDeliveries({ deliveries, isSilent, url }: Pick<Mailbox, 'deliveries' | 'isSilent' | 'url'>): string {
  if (deliveries.length === 0 && isSilent)
    return `The receiver at ${new URL(url).origin} has received no request at all. Check whether the target can reach it, and which subscriptions exist.`;
  if (deliveries.length === 0) return 'The receiver got no delivery.';
  const shown = deliveries
    .slice(-MAX_DELIVERIES_SHOWN)
    .map(({ headers, text }) => `  ${headers['webhook-id'] ?? 'without webhook-id'}: ${text.slice(0, 400)}`);
  const more = deliveries.length > MAX_DELIVERIES_SHOWN ? `, the last ${MAX_DELIVERIES_SHOWN} of ${deliveries.length}` : '';
  return `Delivered${more}:\n${shown.join('\n')}`;
}
