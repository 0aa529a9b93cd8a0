import type { FixedScenario } from '../scenario.ts';
import { assignAndSend, change, changeAndSend, compare, comparePrecondition, inOrder, send, storeLoss } from '../steps.ts';
import { buildEqualUpdatedAtSteps } from './repeats.ts';

/** If it passes, older events after a restart must not change the state. */
export const DURABLE_STORE_SCENARIO = 'durable-store';

export const LOST_STORE_SCENARIOS: readonly FixedScenario[] = [
  {
    id: 'restart',
    title: 'The consumer is restarted right after it acknowledges events.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Store an event durably before you acknowledge it. An acknowledged event is not sent again.',
    steps: [
      ...inOrder('u1 created'),
      { step: 'wait-for-lists' },
      ...inOrder('c1 created', 'c1 activated', 'a1 created'),
      { step: 'restart' },
      compare,
    ],
  },
  {
    id: DURABLE_STORE_SCENARIO,
    title: 'The consumer is restarted, and reads no list.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: '',
    observation:
      'After a restart, the consumer reads the lists again, as after the loss of its store. So older events that arrive later are not tested.',
    requires: ['restart'],
    steps: [...inOrder('c1 created'), { step: 'restart' }, ...inOrder('c1 activated'), compare, { step: 'compare', what: 'no-lists' }],
  },
  {
    id: 'repeat-after-restart',
    title: 'A delivery is repeated after the consumer is restarted.',
    rule: 'events.consumer.deduplicates',
    advice: 'Store every webhook-id durably, as you store the state.',
    requires: ['repeat-at-once', DURABLE_STORE_SCENARIO],
    steps: buildEqualUpdatedAtSteps({ step: 'restart' }, send('c1 activated')),
  },
  {
    id: 'older-after-restart',
    title: 'Older events about a deleted and about another connection arrive after the consumer is restarted.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Store the updatedAt of every entity durably, also of deleted ones, as you store the state.',
    requires: ['older-after-deletion', DURABLE_STORE_SCENARIO],
    steps: [
      ...['c1', 'c2'].flatMap((entity) => [...changeAndSend(entity, 'created'), change(entity, 'activated')]),
      ...inOrder('c1 deleted', 'c2 deactivated'),
      { step: 'restart' },
      ...['c1', 'c2'].map((entity) => send(`${entity} activated`)),
      compare,
    ],
  },
  {
    id: 'lost-store',
    title: 'The consumer loses its store before the events for some changes arrive.',
    rule: 'events.consumer.rebuilds-from-lists',
    advice:
      "After losing the store, read every account's lists of connections and assignments, and store every entity. List assignments with accountId alone, so that the list has targets of every type. Read each list to the last page (repeat with the returned cursor until it is null).",
    steps: [
      ...inOrder('c1 created', 'c1 activated', 'a1 created'),
      ...assignAndSend('a2', 'USER'),
      ...assignAndSend('a3', 'ACCOUNT'),
      comparePrecondition,
      change('c1', 'deactivated'),
      change('a4', 'created'),
      ...storeLoss,
      compare,
    ],
  },
  {
    id: 'lost-users',
    title: 'The consumer loses its store, which contains the users of an account.',
    rule: 'events.consumer.rebuilds-from-lists',
    advice:
      'After losing the store, read GET /users for every account to the last page (repeat with the returned cursor until it is null).',
    requires: ['seeded-set'],
    steps: [...inOrder('u1 created'), comparePrecondition, ...storeLoss, { step: 'compare', what: 'all-users' }],
  },
  {
    id: 'user-created-during-rebuild',
    title: 'A user is created while the consumer reads a GET /users response that does not show the user yet.',
    rule: 'events.consumer.user-set-adds',
    advice:
      'Add each user in the GET /users response to the set. Do not replace the set: an event may have arrived while you read the list.',
    requires: ['lost-users'],
    steps: [
      ...inOrder('u1 created'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store', list: 'users', during: inOrder('u2 created') },
      compare,
    ],
  },
  {
    id: 'user-deleted-during-rebuild',
    title: 'A user is deleted while the consumer reads a GET /users response that still shows the user, and another user later.',
    rule: 'events.consumer.rebuild-ordered-by-updated-at',
    advice:
      "Keep a deleted user's updatedAt, and add a listed user only if it is not older. An event may have arrived while you read the list.",
    requires: ['lost-users', 'deleted-before-created-u1'],
    steps: [
      ...inOrder('u1 created', 'u2 created'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store', list: 'users', during: inOrder('u1 deleted') },
      compare,
      ...inOrder('u2 deleted'),
      compare,
    ],
  },
  {
    id: 'listed-assignments',
    title: 'The consumer reads the list of assignments after losing its store.',
    rule: 'events.consumer.rebuild-has-updated-at',
    advice: 'Read the list at /experience/assignments. The list at /experience-assignments may omit updatedAt.',
    requires: ['lost-store'],
    steps: [...inOrder('a1 created'), comparePrecondition, ...storeLoss, compare, { step: 'compare', what: 'path-of-assignments' }],
  },
  {
    id: 'older-after-rebuild',
    title: 'An older event is repeated after the consumer rebuilds its lost store.',
    rule: 'events.consumer.rebuild-ordered-by-updated-at',
    advice: "Store every listed entity's updatedAt, and compare it with the updatedAt of later events.",
    requires: ['lost-store', 'older-after-newer'],
    steps: [
      ...inOrder('c1 created', 'c1 activated', 'c1 deactivated'),
      comparePrecondition,
      ...storeLoss,
      comparePrecondition,
      send('c1 activated'),
      compare,
    ],
  },
  ...(['during', 'after'] as const).map(
    (when): FixedScenario => ({
      id: `event-${when}-rebuild`,
      title: `An event arrives ${when === 'during' ? 'while' : 'after'} the consumer reads a list that does not show the change yet.`,
      rule: 'events.consumer.rebuild-ordered-by-updated-at',
      advice:
        'Store the updatedAt of a listed entity, not the time at which you read it, and only if it is not older than the stored value. An event may have arrived while you read the list.',
      requires: ['lost-store', 'older-after-newer'],
      steps: [
        ...inOrder('c1 created', 'c1 activated'),
        comparePrecondition,
        { step: 'wait-for-lists' },
        { step: 'lose-store', during: when === 'during' ? inOrder('c1 deactivated') : [change('c1', 'deactivated')] },
        ...(when === 'during' ? [] : [send('c1 deactivated')]),
        compare,
      ],
    }),
  ),
];
