import { must, unlessBroken } from '../expect/broken.ts';
import { granted } from '../expect/observed.ts';
import { allow } from '../target/allow.ts';
import { bounded } from '../target/bounded.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import type { Inbox, Wanted } from './inbox.ts';
import type { Assignments } from './make-assignment.ts';
import type { Delivery, Reaction } from './receiver.ts';
import { type Beside, isDecisive, isRetried, isUndecided, keepsUp, lasted, nothingRests, REPEATS } from './retried.ts';

/** How an attempt to deliver is answered. @param attempt from 1 */
type React = (attempt: number) => Reaction | undefined;

/** How every attempt of an event is answered, and what that is called: "202". */
export interface Answered {
  readonly reaction: Reaction;
  readonly by: string;
}

/** Deliveries that a check answers as it likes, to see what the target makes of the answer. */
export interface Deliveries {
  /** Makes an assignment whose event is answered so, and waits for its first delivery. @returns what comes */
  answered(inbox: Inbox, react: React): Promise<Wanted>;
  /**
   * Waits until an event is delivered once more, for whatever reason. @param why a clause: "500 is no acknowledgement"
   * @throws RuleBroken where it is not and the target says that nothing is left to be sent. Where nobody says so the check ends as not testable.
   */
  sentAgain(inbox: Inbox, wanted: Wanted, why: string): Promise<Delivery>;
  /**
   * Has events answered so, again and again, and sees that each is delivered more often than one that was acknowledged: what is sent twice in any case is
   * not sent again. @param laterMs how much later than repeats come else they may come, in milliseconds. @throws RuleBroken as `sentAgain`
   */
  mustBeRetried(inbox: Inbox, unacknowledged: readonly Answered[], laterMs?: number): Promise<void>;
  /**
   * Has an event fail again and again, and sees that those that are acknowledged do not keep coming as it does: they may come several times, as long as
   * the one that fails comes more often. @throws RuleBroken
   */
  mustRest(inbox: Inbox, acknowledged: readonly Answered[]): Promise<void>;
  /** What comes of events that are answered so, and of one that is acknowledged at once, until one that fails beside them came again and again. */
  besideFailing(inbox: Inbox, events: readonly Answered[]): Promise<Beside>;
}

/** What is no acknowledgement, whatever else may be. */
export const FAILED: Reaction = { status: 500 };
const AT_ONCE: Answered = { reaction: { status: 204 }, by: '204 at once' };
/** Where a schedule has no more than one repeat in the time that there is, what came along with it may be an accident; not so often. */
const ROUNDS = 3;
const RESTS = 'what is acknowledged does not keep coming as what fails does: by';

export function createDeliveries(need: Need, has: (capability: Capability) => boolean, assignments: Assignments): Deliveries {
  const taken = new Set<string>();

  /** Milliseconds. */
  async function repeatsWithin(): Promise<number> {
    const ms = await need('events.repeats');
    allow(ms);
    return ms;
  }

  /** What is thrown where a repeat was waited for in vain. */
  async function unlessMore(inbox: Inbox, wanted: Wanted, error: Error): Promise<never> {
    if (inbox.all(wanted).length === 0) notTestable('a first delivery');
    if (has('events.idle') && (await (await need('events.idle'))(inbox.subscriptionId))) throw error;
    return notTestable('a repeat within the time that the target is given for it');
  }

  async function unassigned(): ReturnType<Assignments['wanted']> {
    const wanted = await assignments.wanted();
    // A profile has so many, and begins anew.
    if (taken.has(wanted.targetValue))
      notTestable('as many free telephone numbers as it needs at a time: more of freeNumbers, or the hook numbers');
    taken.add(wanted.targetValue);
    return wanted;
  }

  const deliveries: Deliveries = {
    async answered(inbox, react) {
      const wanted = await unassigned();
      // Its id is not known before its event may come.
      const { targetType, targetValue } = wanted;
      const attempts = answering(inbox, { type: 'experience.assignment.created', data: { targetType, targetValue } }, react);
      const { id } = granted('an assignment', await assignments.create(wanted)).json as { readonly id: string };
      const told: Wanted = { type: 'experience.assignment.created', data: { assignmentId: id } };
      await inbox.event(told).catch(unlessBroken(() => notTestable('a first delivery')));
      if (attempts() === 0) notTestable('an event that tells the target of its assignment');
      return told;
    },

    async sentAgain(inbox, wanted, why) {
      const ms = await repeatsWithin();
      return inbox
        .until(() => inbox.all(wanted)[1], `the delivery is sent again: ${why}`, ms)
        .catch(unlessBroken((error) => unlessMore(inbox, wanted, error)));
    },

    async mustBeRetried(inbox, unacknowledged, laterMs = 0) {
      const ms = (await repeatsWithin()) + laterMs;
      // Before the others: what comes of everything has come of this one first.
      const twin = await deliveries.answered(inbox, () => AT_ONCE.reaction);
      const retried = async ({ by, reaction }: Answered) => {
        let isOver = false;
        const failing = await deliveries.answered(inbox, () => (isOver ? undefined : reaction));
        const expected = `what is answered with ${by} is sent again, and so comes more often than what was acknowledged`;
        await inbox
          .until(() => inbox.all(failing)[inbox.all(twin).length], expected, ms)
          .catch(unlessBroken((error) => unlessMore(inbox, failing, error)))
          .finally(() => {
            isOver = true;
          });
      };
      await Promise.all(unacknowledged.map(retried));
    },

    async mustRest(inbox, acknowledged) {
      bounded();
      let events = acknowledged;
      for (let round = 1; ; round += 1) {
        const beside = await deliveries.besideFailing(inbox, events);
        const { failed, came } = beside;
        const told = (event: Answered) =>
          `${event.by} (it came ${came[events.indexOf(event)]?.length} times, what failed ${failed.length} times)`;
        if (!isRetried(beside)) {
          must(!nothingRests(beside), `${RESTS} ${events.map(told).join(', ')}`);
          notTestable('a delivery that fails and is sent again, beside which it shows what is not');
        }
        const suspects = events.filter((_, index) => keepsUp(beside, came[index]));
        if (suspects.length === 0) return;
        must(!isDecisive(beside) && round < ROUNDS, `${RESTS} ${suspects.map(told).join(', ')}`);
        // With one that rests, as the measure.
        events = [...suspects, ...events.filter((each) => !suspects.includes(each)).slice(0, 1)];
      }
    },

    async besideFailing(inbox, events) {
      const ms = await repeatsWithin();
      const all = [...events, AT_ONCE];
      const wanted = await Promise.all(all.map(({ reaction }) => deliveries.answered(inbox, () => reaction)));
      const came = () => wanted.map(inbox.all);
      // Who does not wait for an answer that comes late sends again before it.
      const slowestMs = Math.max(...all.map(({ reaction }) => (typeof reaction === 'string' ? 0 : (reaction.afterMs ?? 0))));
      if (slowestMs > 0)
        await orNot(inbox.until(() => came().find(({ length }) => length > REPEATS), 'it is sent again and again', slowestMs));
      let isOver = false;
      const failing = await deliveries.answered(inbox, () => (isOver ? undefined : FAILED));
      const beside = (): Beside => ({ failed: inbox.all(failing), came: came(), ms });
      await orNot(inbox.until(() => isDecisive(beside()) || undefined, 'what fails is repeated', ms));
      isOver = true;
      // As long again as the failing one took is enough for any that follows the same schedule.
      const settled = () => !beside().came.some((each) => isUndecided(beside(), each)) || undefined;
      await orNot(inbox.until(settled, 'what was sent again shows whether it goes on', Math.min(ms, lasted(beside().failed))));
      return beside();
    },
  };
  return deliveries;
}

const orNot = (waited: Promise<unknown>): Promise<unknown> => waited.catch(unlessBroken(() => undefined));

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
