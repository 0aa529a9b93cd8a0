const reason = 'The check waits for as long as a receiver may take to reply, which is too long for this test.';

/** The checks that the profiles of the known targets exclude. */
export const LONG_CHECKS = [
  { rule: 'events.delivery.retries-unanswered', reason },
  { rule: 'events.delivery.waits-for-answer', reason },
];
