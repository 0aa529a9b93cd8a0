import type { FixedScenario } from '../scenario.ts';
import { changeAndSend, compare, inOrder, send } from '../steps.ts';
import { OTHERS_REMAIN_SCENARIO } from './basic.ts';

export const USER_SCENARIOS: readonly FixedScenario[] = [
  {
    id: 'seeded-set',
    title: 'An account that has users is connected, and one more user is created.',
    rule: 'events.consumer.user-set-seeded',
    advice:
      'Read GET /users for an account to the last page (repeat with the returned cursor until it is null) before you count its users.',
    steps: [...changeAndSend('u1', 'created', {}, 2), { step: 'compare', what: 'seeded', account: 2, required: true }],
  },
  {
    id: 'user-of-two-experiences',
    title: 'Users are created in two accounts, and two events with different Experiences arrive for one of the users.',
    rule: 'events.consumer.user-set-per-account',
    advice: 'Keep a set of unique userIds for each accountId. Two events with different webhook-ids may be about the same user.',
    steps: [
      ...inOrder('u1 created'),
      send('u1 created', { ofOtherExperience: 1 }),
      ...changeAndSend('u2', 'created', {}, 2),
      { step: 'compare', what: 'unique', required: true },
    ],
  },
  {
    id: 'total-of-users',
    title: 'Users are created in two accounts, two events arrive for one of the users, and this user is deleted.',
    rule: 'events.consumer.user-total-is-sum',
    advice: 'Compute the total from the sizes of the sets. Do not count events.',
    steps: [
      ...inOrder('u1 created'),
      ...changeAndSend('u2', 'created', {}, 2),
      { step: 'remember-total' },
      send('u2 created', { ofOtherExperience: 1 }),
      { step: 'compare', what: 'total' },
      ...inOrder('u2 deleted'),
      { step: 'compare', what: 'total', change: -1 },
    ],
  },
  {
    id: 'users-unavailable',
    title: 'GET /users responds with 503 while events about the users of a new account arrive.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice:
      'If you could not process an event, answer with a 5xx status to get the event again, or store the event and try again yourself.',
    requires: ['seeded-set', 'user-of-two-experiences', OTHERS_REMAIN_SCENARIO],
    steps: [
      { step: 'users-unavailable', account: 1 },
      ...changeAndSend('u1', 'created', {}, 1),
      { step: 'users-available' },
      compare,
      { step: 'compare', what: 'seeded', account: 1 },
    ],
  },
];
