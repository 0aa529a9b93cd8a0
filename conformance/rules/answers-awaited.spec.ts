import { setTimeout as pause } from 'node:timers/promises';
import { test } from '../support/deliveries-test.ts';
import { rule } from '../support/rule.ts';

// These take as long as the specification gives an endpoint. Files are handed out by their names, so that the others go on beside them.

const SECOND = 1000;
/** The specification says about 15: whoever waits for some more keeps it. */
const AT_MOST_S = 20;
/** Well within them. */
const SLOW_S = 10;

test(
  'A delivery that is not answered within about 15 seconds, or that cannot be made, is sent again: no answer.',
  rule('events.delivery.retries-unanswered'),
  async ({ events, deliveries }) => {
    test.setTimeout(3 * AT_MOST_S * SECOND);
    const inbox = await events.subscribed();
    const wanted = await deliveries.answered(inbox, (attempt) => (attempt === 1 ? 'hang' : undefined));
    await deliveries.sentAgain(inbox, wanted, 'it was not answered', { laterMs: AT_MOST_S * SECOND });
  },
);

test(
  'The service waits about 15 seconds for an answer: a 2xx well within them acknowledges.',
  rule('events.delivery.waits-for-answer'),
  async ({ need, events, deliveries }) => {
    test.setTimeout(3 * AT_MOST_S * SECOND);
    // Nobody waits for a target that cannot be judged.
    await need('events.repeats');
    const inbox = await events.subscribed();
    const wanted = await deliveries.answered(inbox, () => ({ status: 204, afterMs: SLOW_S * SECOND }));
    // Who does not wait has sent it so often before its first answer.
    const often = inbox.until(() => inbox.all(wanted)[2], 'it is sent again and again', SLOW_S * SECOND);
    await Promise.race([pause(SLOW_S * SECOND), often.catch(() => pause(SLOW_S * SECOND))]);
    await deliveries.mustRest(inbox, [{ wanted, by: `204 after ${SLOW_S} seconds` }]);
  },
);
