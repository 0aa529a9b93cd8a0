import { LONG, rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const SECOND = 1000;
/** The specification says about 15: a service that waits a little longer keeps the rule. */
const AT_MOST_S = 20;
/** Well within 15 seconds. */
const SLOW_S = 10;

test(
  'A delivery that is not answered within about 15 seconds, or that cannot be made, is sent again: no answer.',
  rule('events.delivery.retries-unanswered', LONG),
  async ({ events, deliveries }) => {
    test.setTimeout(3 * AT_MOST_S * SECOND);
    await deliveries.expectRetries(await events.subscribed(), [{ reaction: 'hang', name: 'nothing' }], AT_MOST_S * SECOND);
  },
);

test(
  'The service waits about 15 seconds for an answer: a 2xx well within them acknowledges.',
  rule('events.delivery.waits-for-answer', LONG),
  async ({ need, events, deliveries }) => {
    test.setTimeout(3 * AT_MOST_S * SECOND);
    // Checked first, so that a target without it is not waited for.
    await need('events.repeats');
    const slow = { reaction: { status: 204, afterMs: SLOW_S * SECOND }, name: `204 after ${SLOW_S} seconds` };
    await deliveries.expectNoRetries(await events.subscribed(), [slow]);
  },
);
