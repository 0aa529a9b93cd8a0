import { assignmentEvent, type Delivery, type EventMatch, matches } from '../expect/event.ts';
import { requireSuccess } from '../expect/response.ts';
import {
  type Attempts,
  duration,
  isDecisive,
  isNothingAcknowledged,
  isRetried,
  isRetriedAlike,
  isUndecided,
  RETRIES,
} from '../expect/retries.ts';
import { must, onRuleBroken, RuleBroken } from '../expect/rule-broken.ts';
import type { NewAssignment } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import { notTestable } from '../target/not-testable.ts';
import { allow, bounded } from '../target/running-check.ts';
import type { Assignments } from './assignments.ts';
import type { Inbox } from './inbox.ts';
import type { Reaction } from './receiver.ts';

/** A response to the deliveries of an event, and its name in messages, such as "202". */
export interface Response {
  readonly reaction: Reaction;
  readonly name: string;
}

/** A response that no target may treat as an acknowledgement, whatever its decisions are. */
export const FAILED: Reaction = { status: 500 };
const ACKNOWLEDGED: Response = { reaction: { status: 204 }, name: '204 at once' };
/**
 * The number of times that a comparison is repeated. An acknowledged event may be sent again by accident in one round, but not in three.
 */
const ROUNDS = 3;
const NOT_RETRIED = 'an acknowledged event is not retried like a failing one. Retried events, by their response:';

/** Publishes events and answers their deliveries with chosen responses, to find out whether the target retries them. */
export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries(need: Need, assignments: Assignments) {
  const usedNumbers = new Set<string>();

  async function retryTime(): Promise<number> {
    const ms = await need('events.repeats');
    allow(ms);
    return ms;
  }

  async function unassignedNumber(): Promise<NewAssignment> {
    const body = await assignments.newBody();
    // A profile with few telephone numbers gives the same number several times.
    if (usedNumbers.has(body.targetValue))
      notTestable('the profile has too few free telephone numbers: add some to freeNumbers, or add the hook numbers');
    usedNumbers.add(body.targetValue);
    return body;
  }

  /**
   * Creates an assignment, answers each delivery of its event with `react(attempt)`, and waits for the first delivery. The first attempt
   * has the number 1.
   */
  async function answered(inbox: Inbox, react: (attempt: number) => Reaction | undefined): Promise<EventMatch> {
    const body = await unassignedNumber();
    // The event may be delivered before the response with the id of the assignment, so targetValue identifies the event.
    const isOfEvent = (delivery: Delivery) => matches(delivery, assignmentEvent('created', body.targetValue));
    let attempts = 0;
    inbox.answerWith((delivery) => (isOfEvent(delivery) ? react(++attempts) : undefined));
    const { id } = requireSuccess('an assignment', await assignments.create(body)).json as { readonly id: string };
    const match = assignmentEvent('created', id);
    // A target may delay the events of an endpoint while another delivery to the endpoint fails, so a missing event breaks no rule.
    await inbox
      .until(() => inbox.matching(match)[0], 'the event is delivered')
      .catch(onRuleBroken(() => notTestable('an event was not delivered while the target repeated other events')));
    if (attempts === 0) notTestable('the event of an assignment does not contain its targetValue');
    return match;
  }

  /**
   * Waits until an event is delivered a second time.
   * @param reason a clause that says why the event must be sent again, such as "500 is not an acknowledgement"
   * @throws RuleBroken if the event is not sent again and the rule under test requires it (Inbox.notRepeated)
   */
  async function expectRepeat(inbox: Inbox, match: EventMatch, reason: string): Promise<Delivery> {
    const ms = await retryTime();
    return inbox
      .until(() => inbox.matching(match)[1], `the delivery is sent again, because ${reason}`, ms)
      .catch(onRuleBroken((error) => inbox.notRepeated(error, inbox.matching(match).length, 'events.delivery.retries-non-2xx')));
  }

  /**
   * Publishes one event for each response, answers all its deliveries with this response, and expects more deliveries than of an
   * acknowledged event.
   * @param extraMs the time that a retry may come later than usual, in milliseconds
   * @throws RuleBroken (Inbox.notRepeated)
   */
  async function expectRetries(inbox: Inbox, responses: readonly Response[], extraMs = 0): Promise<void> {
    const ms = (await retryTime()) + extraMs;
    // The acknowledged event is published first, so it is delivered before the other events.
    const acknowledged = await answered(inbox, () => ACKNOWLEDGED.reaction);
    const retried = async ({ name, reaction }: Response) => {
      let isOver = false;
      const failing = await answered(inbox, () => (isOver ? undefined : reaction));
      const expected = `an event that is answered with ${name} is sent again, and so is delivered more often than an acknowledged one`;
      await inbox
        .until(() => inbox.matching(failing)[inbox.matching(acknowledged).length], expected, ms)
        .catch(onRuleBroken((error) => inbox.notRepeated(error, inbox.matching(failing).length)))
        .finally(() => {
          isOver = true;
        });
    };
    await Promise.all(responses.map(retried));
  }

  /**
   * Expects that events with these responses are not retried. Compares them with an event whose deliveries always fail.
   * @throws RuleBroken
   */
  async function expectNoRetries(inbox: Inbox, responses: readonly Response[]): Promise<void> {
    bounded();
    let compared = responses;
    for (let round = 1; ; round += 1) {
      const attempts = await compareWithFailing(inbox, compared);
      const { failed, others } = attempts;
      const describe = (response: Response) =>
        `${response.name} (delivered ${others[compared.indexOf(response)]?.length} times, the failing event ${failed.length} times)`;
      if (!isRetried(attempts)) {
        must(!isNothingAcknowledged(attempts), `${NOT_RETRIED} ${compared.map(describe).join(', ')}`);
        const error = new RuleBroken('Expected that a delivery that is answered with 500 is sent again.');
        await inbox.notRepeated(error, failed.length, 'events.delivery.retries-non-2xx');
      }
      const suspects = compared.filter((_, index) => isRetriedAlike(attempts, others[index]));
      if (suspects.length === 0) return;
      must(!isDecisive(attempts) && round < ROUNDS, `${NOT_RETRIED} ${suspects.map(describe).join(', ')}`);
      // The next round repeats the suspects, and one response that was not retried, for comparison.
      compared = [...suspects, ...compared.filter((each) => !suspects.includes(each)).slice(0, 1)];
    }
  }

  /**
   * Collects the deliveries of one event for each response, of one event that is acknowledged at once, and of one event that always fails.
   */
  async function compareWithFailing(inbox: Inbox, responses: readonly Response[]): Promise<Attempts> {
    const ms = await retryTime();
    const all = [...responses, ACKNOWLEDGED];
    const acknowledged = await Promise.all(all.map(({ reaction }) => answered(inbox, () => reaction)));
    const others = () => acknowledged.map(inbox.matching);
    // If the target does not wait for a late response, it retries before the response is sent. So the failing event is published only after
    // the latest response.
    const slowestMs = Math.max(...all.map(({ reaction }) => (typeof reaction === 'string' ? 0 : (reaction.afterMs ?? 0))));
    if (slowestMs > 0)
      await ignoreTimeout(inbox.until(() => others().find(({ length }) => length > RETRIES), 'the event is retried', slowestMs));
    let isOver = false;
    const failing = await answered(inbox, () => (isOver ? undefined : FAILED));
    const attempts = (): Attempts => ({ failed: inbox.matching(failing), others: others(), ms });
    await ignoreTimeout(inbox.until(() => isDecisive(attempts()) || undefined, 'the failing event is retried', ms));
    isOver = true;
    // An event with the retry schedule of the failing event is retried within the time that the failing event took.
    const isDecided = () => !attempts().others.some((each) => isUndecided(attempts(), each)) || undefined;
    await ignoreTimeout(inbox.until(isDecided, 'the retries of every event continue or end', Math.min(ms, duration(attempts().failed))));
    return attempts();
  }

  return { answered, expectRepeat, expectRetries, expectNoRetries, compareWithFailing };
}

function ignoreTimeout(waiting: Promise<unknown>): Promise<unknown> {
  return waiting.catch(onRuleBroken(() => undefined));
}
