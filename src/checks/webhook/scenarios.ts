import type { WebhookRuleId } from '../rules.ts';
import type { Scenario } from './scenario.ts';
import { burst, change, changeAndSend, compare, comparePrecondition, send, withUpdatedAt } from './steps.ts';

/** A scenario that shows whether a consumer follows one rule. */
export interface FixedScenario extends Scenario {
  readonly rule: WebhookRuleId;
  /** What to change if a consumer fails. */
  readonly advice: string;
  /** The ids of scenarios that must pass first, because this scenario would fail for the same reason. */
  readonly requires?: readonly string[];
  /** A note to report instead of a failure, because the specification does not say what is right. */
  readonly observation?: string;
  /** Whether an unacknowledged delivery breaks this rule instead of events.endpoint.acknowledges-with-2xx. */
  readonly refusalBreaksRule?: boolean;
}

const LAST_PAGE_ADVICE = 'to the last page (repeat with the returned cursor until it is null)';
const COMPARE_INSTANTS_ADVICE = 'Compare instants, not strings: parse both values of updatedAt, and compare numbers.';

/** The scenarios that deliver each event once and in order, by entity kind. All other scenarios for the same kind require them. */
export const IN_ORDER_SCENARIOS = {
  connections: 'connection-in-order',
  assignments: 'assignment-in-order',
  users: 'user-created',
} as const;

const SEVERAL_ENTITIES = ['c1', 'c2', 'c3', 'a1', 'a2', 'u1', 'u2'];

/** Most scenarios require this one, because a consumer that compares `updatedAt` across entities would fail them all. */
export const DIFFERENT_ENTITIES_SCENARIO = 'older-event-of-another-connection';

/** Scenarios that rewrite `updatedAt` require this one, because the rewritten instants are in the future. */
export const LATER_INSTANTS_SCENARIO = 'later-instants';

/** The fixed scenarios, in the order in which they run. Each is small, so that one consumer fault breaks one rule. */
export const SCENARIOS: readonly FixedScenario[] = [
  {
    id: IN_ORDER_SCENARIOS.connections,
    title: 'A connection is created, activated, deactivated and deleted, and its events arrive in order.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice:
      'Apply each event of a connection to your store before you answer with a 2xx status, or store the event first and apply it later.',
    steps: [
      ...changeAndSend('c1', 'created'),
      compare,
      ...changeAndSend('c1', 'activated'),
      compare,
      ...changeAndSend('c1', 'deactivated'),
      compare,
      ...changeAndSend('c1', 'deleted'),
      compare,
    ],
  },
  {
    id: IN_ORDER_SCENARIOS.assignments,
    title: 'An assignment is created and deleted, and its events arrive in order.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice:
      'Apply each event of an assignment to your store before you answer with a 2xx status, or store the event first and apply it later.',
    steps: [...changeAndSend('a1', 'created'), compare, ...changeAndSend('a1', 'deleted'), compare],
  },
  {
    id: IN_ORDER_SCENARIOS.users,
    title: 'A user is created, and the event arrives.',
    rule: 'events.consumer.user-set-adds',
    advice:
      'Add data.userId to the set of data.accountId when provisioning.user.created arrives. The check has Experiences of its own, so accept any scope.experienceId.',
    steps: [...changeAndSend('u1', 'created'), ...changeAndSend('u2', 'created'), compare],
  },
  {
    id: 'user-deleted',
    title: 'A user is deleted, and the event arrives.',
    rule: 'events.consumer.user-set-removes',
    advice: 'Remove data.userId from the set of data.accountId when provisioning.user.deleted arrives.',
    steps: [...changeAndSend('u1', 'created'), comparePrecondition, ...changeAndSend('u1', 'deleted'), compare],
  },
  {
    id: DIFFERENT_ENTITIES_SCENARIO,
    title: 'An event about one connection arrives after a newer event about another connection.',
    rule: 'events.consumer.any-order',
    advice:
      'Store updatedAt for each entity, not once for all events. Keep every connection of an account: it may have one for each Experience.',
    steps: [change('c1', 'created'), ...changeAndSend('c2', 'created'), send('c1 created'), compare],
  },
  {
    id: LATER_INSTANTS_SCENARIO,
    title: 'The updatedAt of an event is half a minute in the future.',
    rule: 'events.consumer.compares-instants',
    advice: '',
    observation:
      'The consumer ignores or refuses events whose updatedAt is half a minute in the future. The specification permits this, but many scenarios need such events.',
    refusalBreaksRule: true,
    steps: [...changeAndSend('c1', 'created', withUpdatedAt(0)), ...changeAndSend('c1', 'activated', withUpdatedAt(1)), compare],
  },
  {
    id: 'unknown-members-connection',
    title: 'The events of a connection have members that the specification does not list: in the envelope, in scope and in data.',
    rule: 'events.consumer.accepts-unknown-members',
    advice: 'Ignore members that you do not know. Validate only the members that you use.',
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', { unknownMembers: 'envelope' }),
      ...changeAndSend('c1', 'activated', { unknownMembers: 'scope' }),
      compare,
      ...changeAndSend('c1', 'deactivated', { unknownMembers: 'data' }),
      compare,
    ],
  },
  {
    id: 'unknown-members-assignment-and-user',
    title: 'The events of an assignment and a user have members that the specification does not list.',
    rule: 'events.consumer.accepts-unknown-members',
    advice: 'Ignore members that you do not know. Validate only the members that you use.',
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('a1', 'created', { unknownMembers: 'data' }),
      ...changeAndSend('u1', 'created', { unknownMembers: 'envelope' }),
      compare,
    ],
  },
  {
    id: 'other-provider-id',
    title: 'An event has the UUID of another provider as its providerId.',
    rule: 'events.consumer.provider-id-opaque',
    advice: '',
    observation: 'The consumer ignores or refuses events with the providerId of another provider. The specification permits this.',
    refusalBreaksRule: true,
    steps: [...changeAndSend('c1', 'created', { providerId: '5d0b1f0e-6a53-4d4c-9a55-0f6c3f1d2b7a' }), compare],
  },
  {
    id: 'opaque-provider-id',
    title: 'The providerId is a number with a leading zero in one event, and a long string with special characters in the next.',
    rule: 'events.consumer.provider-id-opaque',
    advice: 'Keep providerId as a string of any form and length. Do not parse it, and do not require a UUID or a number.',
    // A consumer may ignore the events of other providers.
    requires: ['other-provider-id'],
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', { providerId: '0042' }),
      ...changeAndSend('c1', 'activated', { providerId: `urn:provider/é ${'x'.repeat(40)}` }),
      compare,
    ],
  },
  {
    id: 'repeat-at-once',
    title: 'A delivery is repeated at once.',
    rule: 'events.consumer.deduplicates',
    advice: 'Store the webhook-id of every event that you applied, and acknowledge a delivery with a known webhook-id without applying it.',
    steps: [...repeatAfterEqualUpdatedAt(send('c1 activated')), { step: 'compare', what: 'applied' }],
  },
  {
    id: 'repeat-after-lost-answer',
    title: 'The sender closes the HTTP connection before it reads the acknowledgement, and repeats the delivery.',
    rule: 'events.consumer.deduplicates',
    advice: 'Store the webhook-id in the transaction that applies the event, not after you have sent the response.',
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(0)),
      change('c1', 'activated'),
      send('c1 activated', withUpdatedAt(1), { loseAnswer: true }),
      { step: 'compare', what: 'applied' },
      comparePrecondition,
      ...changeAndSend('c1', 'deactivated', withUpdatedAt(1)),
      comparePrecondition,
      send('c1 activated'),
      compare,
    ],
  },
  {
    id: 'repeat-spelled-differently',
    title: 'A repeated delivery has the members of its JSON in another order.',
    rule: 'events.consumer.deduplicates',
    advice: 'Deduplicate by the header webhook-id, not by the body.',
    requires: ['repeat-at-once'],
    steps: [...repeatAfterEqualUpdatedAt(send('c1 activated', { otherSpelling: true })), { step: 'compare', what: 'applied' }],
  },
  {
    id: 'repeat-later',
    title: 'A delivery is repeated later, after many other events.',
    rule: 'events.consumer.deduplicates',
    advice: 'Keep every webhook-id for as long as the service may repeat a delivery: for days, not for seconds or for the last few events.',
    requires: ['repeat-at-once'],
    steps: [...repeatAfterEqualUpdatedAt({ step: 'later' }, send('c1 activated')), { step: 'compare', what: 'applied' }],
  },
  {
    id: 'activated-again',
    title: 'A connection is activated, deactivated and activated again.',
    rule: 'events.consumer.deduplicates',
    advice: 'Deduplicate by the header webhook-id alone. Two events of the same type about the same connection are two events.',
    steps: [
      ...changeAndSend('c1', 'created'),
      ...changeAndSend('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated'),
      comparePrecondition,
      { ...change('c1', 'activated'), event: 'c1 activated again' },
      send('c1 activated again'),
      compare,
    ],
  },
  {
    id: 'older-after-newer',
    title: 'An older event arrives after a newer one.',
    rule: 'events.consumer.discards-older',
    advice: 'Store data.updatedAt with each entity, and discard an event whose data.updatedAt is older than the stored value.',
    steps: [
      ...changeAndSend('c1', 'created'),
      change('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated'),
      comparePrecondition,
      send('c1 activated'),
      compare,
    ],
  },
  {
    id: 'older-with-later-timestamp',
    title: 'An older event arrives after a newer one, whose timestamp is earlier.',
    rule: 'events.consumer.discards-older',
    advice: 'Compare data.updatedAt, not the timestamp of the envelope.',
    requires: ['older-after-newer'],
    steps: [
      ...changeAndSend('c1', 'created', { timestampEarlier: 20 }),
      change('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated', { timestampEarlier: 10 }),
      comparePrecondition,
      send('c1 activated'),
      compare,
    ],
  },
  {
    id: 'equal-instants',
    title: 'An event has the same updatedAt as the event before it.',
    rule: 'events.consumer.applies-equal',
    advice: 'Discard an event only if its updatedAt is older than the stored value. An equal updatedAt is not older.',
    steps: [...changeAndSend('c1', 'created', withUpdatedAt(1)), ...changeAndSend('c1', 'activated', withUpdatedAt(1)), compare],
  },
  {
    id: 'activated-before-created',
    title: 'The activation of a connection arrives before its creation.',
    rule: 'events.consumer.any-order',
    advice: 'Create the connection in your store when any of its events arrives, with the state and the updatedAt of that event.',
    requires: ['older-after-newer'],
    steps: [change('c1', 'created'), ...changeAndSend('c1', 'activated'), send('c1 created'), compare],
  },
  {
    id: 'reversed',
    title: 'The events of a connection arrive in reverse order.',
    rule: 'events.consumer.any-order',
    advice:
      'Keep the state of the newest event, whatever arrives later. Create the connection in your store when any of its events arrives.',
    requires: ['older-after-newer'],
    steps: [
      change('c1', 'created'),
      change('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated'),
      send('c1 activated'),
      send('c1 created'),
      compare,
    ],
  },
  {
    id: 'created-again-before-deleted',
    title: 'A connection and an assignment are deleted and created again, and the new creations arrive before the deletions.',
    rule: 'events.consumer.any-order',
    advice: 'Apply the deletion only to the entity with the id in the event, or compare its updatedAt with that of the new entity.',
    requires: ['older-after-newer'],
    steps: [
      ...changeAndSend('c1', 'created'),
      ...changeAndSend('a1', 'created'),
      change('c1', 'deleted'),
      change('a1', 'deleted'),
      ...changeAndSend('c2', 'created'),
      ...changeAndSend('a2', 'created'),
      send('c1 deleted'),
      send('a1 deleted'),
      compare,
    ],
  },
  {
    id: 'different-entities-at-the-same-time',
    title: 'Events about different connections, assignments and users arrive at the same time.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Answer with 503 if you are too busy to store an event, so that it is sent again. Do not acknowledge what you drop.',
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
    requires: ['older-after-newer', 'activated-before-created', 'reversed', 'different-entities-at-the-same-time'],
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
    advice: 'Let the store decide which delivery is first: a unique key on webhook-id, written in the transaction that applies the event.',
    requires: ['repeat-at-once', 'at-the-same-time'],
    steps: [
      ...changeAndSend('c1', 'created'),
      change('c1', 'activated'),
      burst('c1 activated', 'c1 activated', 'c1 activated'),
      comparePrecondition,
      { step: 'compare', what: 'applied', required: true },
    ],
  },
  {
    id: 'older-after-deletion',
    title: 'An older event arrives after the deletion of the connection.',
    rule: 'events.consumer.remembers-deletions',
    advice: 'Keep the updatedAt of a deleted entity, so that an older event about it is recognized as older.',
    requires: ['older-after-newer'],
    steps: [
      ...changeAndSend('c1', 'created'),
      change('c1', 'activated'),
      ...changeAndSend('c1', 'deleted'),
      comparePrecondition,
      send('c1 activated'),
      compare,
    ],
  },
  ...(['c1', 'a1', 'u1'] as const).map(
    (entity): FixedScenario => ({
      id: `deleted-before-created-${entity}`,
      title: `The deletion of ${{ c1: 'a connection', a1: 'an assignment', u1: 'a user' }[entity]} arrives before its creation.`,
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
    id: 'instant-with-longer-fraction',
    title: 'The newer updatedAt has a fraction of a second, and the older one has none.',
    rule: 'events.consumer.compares-instants',
    advice: COMPARE_INSTANTS_ADVICE,
    refusalBreaksRule: true,
    steps: [...changeAndSend('c1', 'created', withUpdatedAt(0, 0)), ...changeAndSend('c1', 'activated', withUpdatedAt(0.5, 1)), compare],
  },
  {
    id: 'older-instant-without-fraction',
    title: 'An older event whose updatedAt has no fraction of a second arrives after a newer event whose updatedAt has one.',
    rule: 'events.consumer.compares-instants',
    advice: COMPARE_INSTANTS_ADVICE,
    requires: ['older-after-newer'],
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(0, 0)),
      change('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated', withUpdatedAt(2.5, 1)),
      comparePrecondition,
      send('c1 activated', withUpdatedAt(2, 0)),
      compare,
    ],
  },
  {
    id: 'instant-with-offset',
    title: 'The newer updatedAt is written with +00:00 and microseconds, and the older one with Z.',
    rule: 'events.consumer.compares-instants',
    advice: COMPARE_INSTANTS_ADVICE,
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(1.5, 1)),
      ...changeAndSend('c1', 'activated', withUpdatedAt(1.501001, 6, '+00:00')),
      compare,
    ],
  },
  {
    id: 'older-by-a-microsecond',
    title: 'An event that is older by one microsecond arrives after the newer one.',
    rule: 'events.consumer.compares-instants',
    advice: '',
    observation:
      'Of two events in the same millisecond, the one that arrives later wins, as if their updatedAt were equal. The specification states no precision; the kit writes milliseconds.',
    requires: ['older-after-newer'],
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(0)),
      change('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated', withUpdatedAt(1.000002, 6)),
      comparePrecondition,
      send('c1 activated', withUpdatedAt(1.000001, 6)),
      compare,
    ],
  },
  {
    id: 'equal-instants-spelled-differently',
    title: 'Two events have the same updatedAt, written once with Z and once with +00:00.',
    rule: 'events.consumer.compares-instants',
    advice: COMPARE_INSTANTS_ADVICE,
    requires: ['equal-instants'],
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', withUpdatedAt(1)),
      ...changeAndSend('c1', 'activated', withUpdatedAt(1, 3, '+00:00')),
      compare,
    ],
  },
  {
    id: 'seeded-set',
    title: 'An account that has users is connected, and one more user is created.',
    rule: 'events.consumer.user-set-seeded',
    advice: `Read GET /users for an account ${LAST_PAGE_ADVICE} before you count its users.`,
    steps: [...changeAndSend('u1', 'created', {}, 2), { step: 'compare', what: 'seeded', account: 2 }],
  },
  {
    id: 'user-of-two-experiences',
    title: 'Two Experiences of one account each cause an event about the same new user, and another account has a user too.',
    rule: 'events.consumer.user-set-per-account',
    advice: 'Keep a set of unique userId for each accountId. Two events with different webhook-id may be about the same user.',
    steps: [
      ...changeAndSend('u1', 'created'),
      send('u1 created', { ofOtherExperience: true }),
      ...changeAndSend('u2', 'created', {}, 2),
      { step: 'compare', what: 'unique' },
    ],
  },
  {
    id: 'total-of-users',
    title: 'Users are created in two accounts, one of them with two events, and one is deleted.',
    rule: 'events.consumer.user-total-is-sum',
    advice: 'Compute the total as the sum of the sizes of the sets. Do not count events.',
    steps: [
      ...changeAndSend('u1', 'created'),
      ...changeAndSend('u2', 'created', {}, 2),
      { step: 'remember-total' },
      send('u2 created', { ofOtherExperience: true }),
      { step: 'compare', what: 'total' },
      ...changeAndSend('u2', 'deleted'),
      { step: 'compare', what: 'total', change: -1 },
    ],
  },
  {
    id: 'users-unavailable',
    title: 'GET /users responds with 503 while events about the users of a new account arrive.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Answer with a 5xx status if you could not process an event, so that it is sent again; or keep it and try again yourself.',
    requires: ['seeded-set', 'user-of-two-experiences'],
    steps: [
      { step: 'users-unavailable', account: 1 },
      ...changeAndSend('u1', 'created', {}, 1),
      { step: 'users-available' },
      compare,
      { step: 'compare', what: 'seeded', account: 1 },
    ],
  },
  {
    id: 'restart',
    title: 'The consumer is restarted right after it has acknowledged events.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Store an event durably before you acknowledge it. An acknowledged event is not sent again.',
    steps: [
      ...changeAndSend('u1', 'created'),
      { step: 'wait-for-lists' },
      ...changeAndSend('c1', 'created'),
      ...changeAndSend('c1', 'activated'),
      ...changeAndSend('a1', 'created'),
      { step: 'restart' },
      compare,
    ],
  },
  {
    id: 'lost-store',
    title: 'The consumer loses its store, while changes are made whose events did not arrive yet.',
    rule: 'events.consumer.rebuilds-from-lists',
    advice: `After the loss of the store, read the lists of connections and assignments of every account ${LAST_PAGE_ADVICE}, and store every entity.`,
    steps: [
      ...changeAndSend('c1', 'created'),
      ...changeAndSend('c1', 'activated'),
      ...changeAndSend('a1', 'created'),
      comparePrecondition,
      change('c1', 'deactivated'),
      change('a2', 'created'),
      { step: 'wait-for-lists' },
      { step: 'lose-store' },
      compare,
    ],
  },
  {
    id: 'lost-users',
    title: 'The consumer loses its store, which contains the users of an account.',
    rule: 'events.consumer.rebuilds-from-lists',
    advice: `After the loss of the store, read GET /users of every account ${LAST_PAGE_ADVICE}.`,
    requires: ['seeded-set'],
    steps: [
      ...changeAndSend('u1', 'created'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store' },
      { step: 'compare', what: 'all-users' },
    ],
  },
  {
    id: 'lost-assignments',
    title: 'The consumer loses its store with assignments of a user and an account.',
    rule: 'events.consumer.rebuilds-from-lists',
    advice: 'Read the assignments of an account with accountId alone, so that the list has targets of every type.',
    requires: ['lost-store'],
    steps: [
      { ...change('a1', 'created'), targetType: 'USER' },
      send('a1 created'),
      { ...change('a2', 'created'), targetType: 'ACCOUNT' },
      send('a2 created'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store' },
      compare,
    ],
  },
  {
    id: 'user-created-during-rebuild',
    title: 'A user is created while the consumer reads a GET /users that does not show the user yet.',
    rule: 'events.consumer.user-set-adds',
    advice: 'Add the users that GET /users returned to the set. Do not replace the set: an event may have arrived while you read the list.',
    requires: ['lost-users'],
    steps: [
      ...changeAndSend('u1', 'created'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store', list: 'users', during: changeAndSend('u2', 'created') },
      compare,
    ],
  },
  {
    id: 'listed-assignments',
    title: 'The consumer reads the list of assignments after it has lost its store.',
    rule: 'events.consumer.rebuild-has-updated-at',
    advice: 'Read the list at /experience/assignments. The list at /experience-assignments may omit updatedAt.',
    requires: ['lost-store'],
    steps: [
      ...changeAndSend('a1', 'created'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store' },
      compare,
      { step: 'compare', what: 'path-of-assignments' },
    ],
  },
  {
    id: 'older-after-rebuild',
    title: 'An older event is repeated after the consumer has rebuilt its lost store.',
    rule: 'events.consumer.rebuild-ordered-by-updated-at',
    advice: 'Store the updatedAt of every listed entity, and compare it with the updatedAt of the events that arrive later.',
    requires: ['lost-store', 'older-after-newer'],
    steps: [
      ...changeAndSend('c1', 'created'),
      ...changeAndSend('c1', 'activated'),
      ...changeAndSend('c1', 'deactivated'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store' },
      comparePrecondition,
      send('c1 activated'),
      compare,
    ],
  },
  {
    id: 'event-during-rebuild',
    title: 'An event arrives while the consumer reads a list that does not show the change yet.',
    rule: 'events.consumer.rebuild-ordered-by-updated-at',
    advice:
      'Apply a listed entity only if its updatedAt is not older than the stored value. An event may have arrived while you read the list.',
    requires: ['lost-store', 'older-after-newer'],
    steps: [
      ...changeAndSend('c1', 'created'),
      ...changeAndSend('c1', 'activated'),
      comparePrecondition,
      { step: 'wait-for-lists' },
      { step: 'lose-store', during: changeAndSend('c1', 'deactivated') },
      compare,
    ],
  },
];

/** Sends two events with the same `updatedAt`, then repeats the first. The state is wrong unless the consumer recognizes the repeat. */
function repeatAfterEqualUpdatedAt(...repeat: readonly FixedScenario['steps'][number][]): FixedScenario['steps'] {
  return [
    ...changeAndSend('c1', 'created', withUpdatedAt(0)),
    ...changeAndSend('c1', 'activated', withUpdatedAt(1)),
    comparePrecondition,
    ...changeAndSend('c1', 'deactivated', withUpdatedAt(1)),
    comparePrecondition,
    ...repeat,
    compare,
  ];
}
