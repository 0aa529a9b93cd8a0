import { test } from '@playwright/test';
import { must, unlessBroken } from './broken.ts';
import type { Capability } from './capabilities.ts';
import type { Inbox, Wanted } from './inbox.ts';
import type { Assignments } from './make-assignment.ts';
import type { Need } from './need.ts';
import { notTestable } from './not-testable.ts';
import type { Delivery, Reaction } from './receiver.ts';

/** How an attempt to deliver is answered. @param attempt from 1 */
type React = (attempt: number) => Reaction | undefined;

/** An event that was acknowledged, and by what: "202". */
export interface Acknowledged {
  readonly wanted: Wanted;
  readonly by: string;
}

interface Again {
  /** How many deliveries were there before the one that is waited for; 1 if not said. */
  readonly after?: number;
  /** How much later than repeats come else it may come, in milliseconds. */
  readonly laterMs?: number;
}

/** Deliveries that a check answers as it likes, to see what the target makes of the answer. */
export interface Deliveries {
  /** Makes an assignment whose event is answered so, and waits for its first delivery. @returns what comes */
  answered(inbox: Inbox, react: React): Promise<Wanted>;
  /**
   * Waits until an event is delivered again. @param why a clause: "500 is no acknowledgement"
   * @throws RuleBroken where it is not and the target says that nothing is left to be sent. Where nobody says so the check ends as not testable.
   */
  sentAgain(inbox: Inbox, wanted: Wanted, why: string, how?: Again): Promise<Delivery>;
  /**
   * Has an event fail again and again, and sees that those that were acknowledged do not come again and again meanwhile: one repeat is legal, and proves
   * nothing. @throws RuleBroken
   */
  mustRest(inbox: Inbox, acknowledged: readonly Acknowledged[]): Promise<void>;
  /** What came of each event while one that fails came again. @returns that of the failing one first; not testable where it did not */
  besideFailing(inbox: Inbox, ...events: readonly Wanted[]): Promise<readonly [failing: readonly Delivery[], ...(readonly Delivery[])[]]>;
}

/** What is no acknowledgement, whatever else may be. */
export const FAILED: Reaction = { status: 500 };
/** Repeats of what fails, after which what was acknowledged would have come again as often: from the second on it is no accident. */
const REPEATS = 3;

export function createDeliveries(need: Need, has: (capability: Capability) => boolean, assignments: Assignments): Deliveries {
  /** Milliseconds. */
  async function repeatsWithin(): Promise<number> {
    const ms = await need('events.repeats');
    test.setTimeout(test.info().timeout + ms);
    return ms;
  }

  const deliveries: Deliveries = {
    async answered(inbox, react) {
      const wanted = await assignments.wanted();
      // Its id is not known before its event may come.
      const { targetType, targetValue } = wanted;
      const attempts = answering(inbox, { type: 'experience.assignment.created', data: { targetType, targetValue } }, react);
      const { id } = await assignments.make(wanted);
      const told: Wanted = { type: 'experience.assignment.created', data: { assignmentId: id } };
      await inbox.event(told).catch(unlessBroken(() => notTestable('a first delivery')));
      if (attempts() === 0) notTestable('an event that tells the target of its assignment');
      return told;
    },

    async sentAgain(inbox, wanted, why, { after = 1, laterMs = 0 } = {}) {
      const ms = (await repeatsWithin()) + laterMs;
      return inbox
        .until(() => inbox.all(wanted)[after], `the delivery is sent again: ${why}`, ms)
        .catch(
          unlessBroken(async (error) => {
            if (inbox.all(wanted).length === 0) notTestable('a first delivery');
            if (has('events.idle') && (await (await need('events.idle'))(inbox.subscriptionId))) throw error;
            return notTestable('a repeat within the time that the target is given for it');
          }),
        );
    },

    async mustRest(inbox, acknowledged) {
      const [failed, ...came] = await deliveries.besideFailing(inbox, ...acknowledged.map(({ wanted }) => wanted));
      for (const [index, { by }] of acknowledged.entries()) {
        const times = came[index]?.length ?? 0;
        must(times <= 2, `what was acknowledged by ${by} is not delivered again and again: it came ${times} times`);
        if (times === 2 && failed.length === 2) notTestable('more than one repeat: whether what was acknowledged comes again by accident');
      }
    },

    async besideFailing(inbox, ...events) {
      const ms = await repeatsWithin();
      const failing = await deliveries.answered(inbox, () => FAILED);
      const times = () => inbox.all(failing).length;
      await inbox.until(() => times() > REPEATS || undefined, 'what fails is repeated', ms).catch(unlessBroken(() => undefined));
      if (times() < 2) notTestable('a delivery that fails and is sent again, beside which it shows what is not');
      return [inbox.all(failing), ...events.map(inbox.all)];
    },
  };
  return deliveries;
}

/** Has every delivery of an event answered so. @returns how many were */
export function answering(inbox: Inbox, event: Wanted, react: React): () => number {
  let attempts = 0;
  inbox.answer((delivery) => {
    if (!inbox.all(event).includes(delivery)) return undefined;
    attempts += 1;
    return react(attempts);
  });
  return () => attempts;
}
