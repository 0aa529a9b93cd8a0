import type { Delivery } from '../../src/expect/event.ts';
import { must, RuleBroken } from '../../src/expect/rule-broken.ts';
import { type EventMatch, matchAssignmentEvent, matchesEvent } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import {
  type Attempts,
  isEveryEventRetried,
  isFailingEventRetried,
  isRetriedLikeFailingEvent,
  isRetryProven,
  isRetryUncertain,
  MIN_RETRIES_FOR_PROOF,
  measureDuration,
} from '../expect/retries.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import type { Need } from '../target/capabilities.ts';
import { endAsNotTestable, extendTimeout, getReport } from '../target/check-report.ts';
import type { Assignments } from './assignments.ts';
import type { Inbox } from './inbox.ts';
import type { Reaction } from './receiver.ts';

/** A response to deliveries, and the name of this response in messages, such as "202". */
export interface Response {
  readonly reaction: Reaction;
  readonly name: string;
}

/** A response that no target may treat as an acknowledgement, whatever decisions it makes. */
const FAILURE_RESPONSE: Reaction = { status: 500 };
const SUCCESS_RESPONSE: Response = { reaction: { status: 204 }, name: 'status 204 immediately' };
/** Several rounds, because accidental repeats of a delivery can look like retries. */
const COMPARISON_ROUNDS = 3;
const RETRIED_MESSAGE = 'an acknowledged event is retried less often than an event that is answered with 500. Retried events, by response:';

export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries(need: Need, assignments: Assignments) {
  async function allowRetryTime(): Promise<number> {
    const ms = await need('events.repeats');
    extendTimeout(ms);
    return ms;
  }

  /** @param react chooses the response to a delivery attempt; the first attempt has the number 1 */
  async function publishAndAnswerEvent(inbox: Inbox, react: (attempt: number) => Reaction | undefined): Promise<EventMatch> {
    const body = await assignments.createBody();
    // Identify the event by targetValue, because the event may arrive before the response with the id.
    const isOfEvent = (delivery: Delivery) => matchesEvent(delivery, matchAssignmentEvent('created', body.targetValue));
    let attempts = 0;
    inbox.setReaction((delivery) => (isOfEvent(delivery) ? react(++attempts) : undefined));
    const { id } = requireSuccess('an assignment', await assignments.create(body)).json as { readonly id: string };
    const match = matchAssignmentEvent('created', id);
    // A missing event breaks no rule here, because a target may delay events while the delivery of an earlier event fails.
    await inbox
      .waitUntil(() => inbox.filterDeliveries(match)[0], 'the event is delivered')
      .catch(onRuleBroken(() => endAsNotTestable('an event was not delivered while the target repeated other events')));
    if (attempts === 0) endAsNotTestable('the event about an assignment does not contain the targetValue');
    return match;
  }

  /**
   * @param extraMs the additional time for a retry, in milliseconds
   * @throws RuleBroken if an event is not retried
   */
  async function expectRetries(inbox: Inbox, responses: readonly Response[], extraMs = 0): Promise<void> {
    const ms = (await allowRetryTime()) + extraMs;
    // The acknowledged events are published first, so they are delivered before the other events. There are two, because the target may
    // repeat one of them by accident.
    const acknowledged = await Promise.all([1, 2].map(() => publishAndAnswerEvent(inbox, () => SUCCESS_RESPONSE.reaction)));
    const countAcknowledged = () => Math.min(...acknowledged.map((match) => inbox.filterDeliveries(match).length));
    const expectRetry = async ({ name, reaction }: Response) => {
      let isOver = false;
      const failing = await publishAndAnswerEvent(inbox, () => (isOver ? undefined : reaction));
      const expected = `an event that is answered with ${name} is sent again and therefore delivered more often than an acknowledged event`;
      await inbox
        .waitUntil(() => inbox.filterDeliveries(failing)[countAcknowledged()], expected, ms)
        .catch(onRuleBroken((error) => inbox.handleMissingRepeat(error, inbox.filterDeliveries(failing).length)))
        .finally(() => {
          isOver = true;
        });
    };
    await Promise.all(responses.map(expectRetry));
  }

  /** @throws RuleBroken */
  async function expectNoRetries(inbox: Inbox, responses: readonly Response[]): Promise<void> {
    getReport().bounded = true;
    let compared = responses;
    for (let round = 1; ; round += 1) {
      const attempts = await collectRetryAttempts(inbox, compared);
      const { failed, others } = attempts;
      const describe = (response: Response) =>
        `${response.name} (delivered ${others[compared.indexOf(response)]?.length} times; the event answered with 500: ${failed.length} times)`;
      if (!isFailingEventRetried(attempts)) {
        must(!isEveryEventRetried(attempts), `${RETRIED_MESSAGE} ${compared.map(describe).join(', ')}`);
        const error = new RuleBroken('Expected a delivery that is answered with 500 to be sent again.');
        await inbox.handleMissingRepeat(error, failed.length, 'events.delivery.retries-non-2xx');
      }
      const suspects = compared.filter((_, index) => isRetriedLikeFailingEvent(attempts, others[index]));
      if (suspects.length === 0) return;
      must(!isRetryProven(attempts) && round < COMPARISON_ROUNDS, `${RETRIED_MESSAGE} ${suspects.map(describe).join(', ')}`);
      // In the next round, test only the suspects and, for comparison, one other response.
      compared = [...suspects, ...compared.filter((each) => !suspects.includes(each)).slice(0, 1)];
    }
  }

  /** Answers one event with each of `responses`, one with a 204 and one with a 500, and collects all deliveries. */
  async function collectRetryAttempts(inbox: Inbox, responses: readonly Response[]): Promise<Attempts> {
    const ms = await allowRetryTime();
    const all = [...responses, SUCCESS_RESPONSE];
    const acknowledged = await Promise.all(all.map(({ reaction }) => publishAndAnswerEvent(inbox, () => reaction)));
    const collectOtherDeliveries = () => acknowledged.map(inbox.filterDeliveries);
    // Wait until the delayed responses have been sent, because a target may wait for a response before it retries the delivery.
    const slowestMs = Math.max(...all.map(({ reaction }) => (typeof reaction === 'string' ? 0 : (reaction.afterMs ?? 0))));
    if (slowestMs > 0)
      await ignoreTimeout(
        inbox.waitUntil(
          () => collectOtherDeliveries().find(({ length }) => length > MIN_RETRIES_FOR_PROOF),
          'the event is retried',
          slowestMs,
        ),
      );
    let isOver = false;
    const failing = await publishAndAnswerEvent(inbox, () => (isOver ? undefined : FAILURE_RESPONSE));
    const collectAttempts = (): Attempts => ({ failed: inbox.filterDeliveries(failing), others: collectOtherDeliveries(), ms });
    await ignoreTimeout(inbox.waitUntil(() => isRetryProven(collectAttempts()) || undefined, 'the failing event is retried', ms));
    isOver = true;
    // Wait until it is clear which events are retried, but at most as long as the failing event's retries took: retries of the other events
    // would arrive within the same time.
    const isDecided = () => !collectAttempts().others.some((each) => isRetryUncertain(collectAttempts(), each)) || undefined;
    await ignoreTimeout(
      inbox.waitUntil(isDecided, 'it is clear whether each event is retried', Math.min(ms, measureDuration(collectAttempts().failed))),
    );
    return collectAttempts();
  }

  /**
   * Makes a change while an earlier event waits to be repeated.
   * @throws RuleBroken if the event about the change does not arrive soon after the repeat, which is acknowledged
   */
  async function expectEventWhileAnotherWaits(inbox: Inbox): Promise<void> {
    const ms = await allowRetryTime();
    const failing = await publishAndAnswerEvent(inbox, (attempt) => (attempt === 1 ? FAILURE_RESPONSE : undefined));
    const { id } = await assignments.createOrThrow();
    const match = matchAssignmentEvent('created', id);
    // A target may keep other events back until the earlier one has been acknowledged.
    await inbox
      .waitUntil(() => inbox.filterDeliveries(match)[0] ?? inbox.filterDeliveries(failing)[1], 'either event is delivered', ms)
      .catch(onRuleBroken(() => endAsNotTestable('an event was not delivered again in time after it had been answered with 500')));
    await inbox.expectEvent(match, 'an event is delivered although an earlier event had to be repeated');
  }

  return { expectRetries, expectNoRetries, collectRetryAttempts, expectEventWhileAnotherWaits };
}

function ignoreTimeout(waiting: Promise<unknown>): Promise<unknown> {
  return waiting.catch(onRuleBroken(() => undefined));
}
