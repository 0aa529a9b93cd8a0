import type { FixedScenario, Rewrite } from '../scenario.ts';
import { burst, change, changeAndSend, compare, comparePrecondition, inOrder, send, withUpdatedAt } from '../steps.ts';

const SEVERAL_ENTITIES = ['c1', 'c2', 'c3', 'a1', 'a2', 'u1', 'u2'];

const buildOlderSteps = (last: 'deactivated' | 'deleted', first?: Rewrite, second?: Rewrite): FixedScenario['steps'] => [
  ...changeAndSend('c1', 'created', first),
  change('c1', 'activated'),
  ...changeAndSend('c1', last, second),
  comparePrecondition,
  send('c1 activated'),
  compare,
];

export const ORDER_SCENARIOS: readonly FixedScenario[] = [
  {
    id: 'older-after-newer',
    title: 'An older event arrives after a newer one.',
    rule: 'events.consumer.discards-older',
    advice: 'Store data.updatedAt with each entity, and discard an event whose data.updatedAt is older than the stored value.',
    steps: buildOlderSteps('deactivated'),
  },
  {
    id: 'older-with-later-timestamp',
    title: 'An event with an older updatedAt, but a later timestamp, arrives after a newer event.',
    rule: 'events.consumer.discards-older',
    advice: "Compare data.updatedAt, not the envelope's timestamp.",
    requires: ['older-after-newer'],
    steps: buildOlderSteps('deactivated', { timestampEarlier: 20 }, { timestampEarlier: 10 }),
  },
  {
    id: 'equal-instants',
    title: 'An event has the same updatedAt as the event before it.',
    rule: 'events.consumer.applies-equal',
    advice: 'Discard an event only if its updatedAt is older than the stored value. An equal updatedAt is not older.',
    steps: [...changeAndSend('c1', 'created', withUpdatedAt(1)), ...changeAndSend('c1', 'activated', withUpdatedAt(1)), compare],
  },
  {
    id: 'instants',
    title:
      'The newer updatedAt has a fraction of a second, or is written with +00:00 and microseconds, and the older one is written differently.',
    rule: 'events.consumer.compares-instants',
    advice: 'Compare instants, not strings: parse both values of updatedAt, and compare numbers.',
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(0, 0)),
      ...changeAndSend('c1', 'activated', withUpdatedAt(0.5, 1)),
      compare,
      ...changeAndSend('c1', 'deactivated', withUpdatedAt(0.501001, 6, '+00:00')),
      compare,
    ],
  },
  {
    id: 'different-entities-at-the-same-time',
    title: 'Events about different connections, assignments and users arrive at the same time.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'If you are too busy to store an event, answer with 503 to get the event again. Do not acknowledge an event that you discard.',
    steps: [
      ...SEVERAL_ENTITIES.map((entity) => change(entity, 'created')),
      burst(...SEVERAL_ENTITIES.map((entity) => `${entity} created`)),
      compare,
    ],
  },
  {
    id: 'at-the-same-time',
    title: 'Several events about one connection arrive at the same time.',
    rule: 'events.consumer.any-order',
    advice:
      'Compare updatedAt and write the new value in one transaction or one conditional update, so that two deliveries do not overwrite each other.',
    requires: ['older-after-newer', 'different-entities-at-the-same-time'],
    steps: [
      ...['c1', 'c2', 'c3'].flatMap((entity) => [change(entity, 'created'), change(entity, 'activated'), change(entity, 'deactivated')]),
      burst('c1 deactivated', 'c1 activated', 'c1 created'),
      burst('c2 created', 'c2 deactivated', 'c2 activated'),
      burst('c3 activated', 'c3 deactivated', 'c3 created'),
      compare,
    ],
  },
  {
    id: 'repeat-at-the-same-time',
    title: 'A delivery and its repeat arrive at the same time.',
    rule: 'events.consumer.deduplicates',
    advice:
      'Let the store decide which delivery is first: in the transaction that applies the event, insert the webhook-id into a column with a unique key.',
    requires: ['repeat-at-once', 'at-the-same-time'],
    steps: [
      ...inOrder('c1 created'),
      change('c1', 'activated'),
      burst('c1 activated', 'c1 activated', 'c1 activated'),
      comparePrecondition,
      { step: 'compare', what: 'applied', required: true },
    ],
  },
  {
    id: 'older-after-deletion',
    title: "An older event arrives after the connection's deletion event.",
    rule: 'events.consumer.remembers-deletions',
    advice: "Keep a deleted entity's updatedAt, so that you can recognize an older event about the entity.",
    requires: ['older-after-newer'],
    steps: buildOlderSteps('deleted'),
  },
  ...(['c1', 'a1', 'u1'] as const).map(
    (entity): FixedScenario => ({
      id: `deleted-before-created-${entity}`,
      title: `${{ c1: 'A connection', a1: 'An assignment', u1: 'A user' }[entity]}'s deletion event arrives before its creation event.`,
      rule: 'events.consumer.remembers-deletions',
      advice: 'Store the deletion and its updatedAt even if you do not know the entity, so that the older creation does not restore it.',
      requires: ['older-after-newer', ...(entity === 'u1' ? ['user-deleted'] : [])],
      steps: [
        change(entity, 'created'),
        change(entity, 'deleted'),
        send(`${entity} deleted`),
        comparePrecondition,
        send(`${entity} created`),
        compare,
      ],
    }),
  ),
  {
    id: 'created-much-after-deletion',
    title: 'The creation events of deleted entities arrive long after the deletion events, and after many other events.',
    rule: 'events.consumer.remembers-deletions',
    advice: 'Keep the updatedAt of every deleted entity, and not only of the last ones.',
    requires: ['older-after-deletion', 'deleted-before-created-a1', 'deleted-before-created-u1'],
    steps: [
      ...inOrder('c1 created'),
      change('a1', 'created'),
      change('u1', 'created'),
      ...inOrder('c1 deleted', 'a1 deleted', 'u1 deleted'),
      comparePrecondition,
      { step: 'later' },
      ...['c1', 'a1', 'u1'].map((entity) => send(`${entity} created`)),
      compare,
    ],
  },
];
