import type { FixedScenario } from '../scenario.ts';
import { assignAndSend, change, changeAndSend, compare, compared, comparePrecondition, inOrder, send, withUpdatedAt } from '../steps.ts';

/** For each entity kind, a scenario that sends each event once and in order. The kind's other scenarios run only if it passes. */
export const IN_ORDER_SCENARIOS = {
  connections: 'connection-in-order',
  assignments: 'assignment-in-order',
  users: 'user-created',
} as const;

/** A consumer that compares `updatedAt` across entities fails most scenarios, so they run only if this scenario passes. */
export const DIFFERENT_ENTITIES_SCENARIO = 'older-event-of-another-connection';

/** A consumer that loses other entities fails most scenarios about users. */
export const OTHERS_REMAIN_SCENARIO = 'others-remain';

/** Tests events with `updatedAt` in the future. Other scenarios with such events run only if this scenario passes. */
export const FUTURE_UPDATED_AT_SCENARIO = 'later-instants';

export const BASIC_SCENARIOS: readonly FixedScenario[] = [
  {
    id: IN_ORDER_SCENARIOS.connections,
    title: 'A connection is created, activated, deactivated and deleted, and its events arrive in order.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Apply each connection event to your store before you answer with a 2xx status, or store the event first and apply it later.',
    steps: compared('c1 created', 'c1 activated', 'c1 deactivated', 'c1 deleted'),
  },
  {
    id: IN_ORDER_SCENARIOS.assignments,
    title: 'An assignment is created and deleted, and its events arrive in order.',
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Apply each assignment event to your store before you answer with a 2xx status, or store the event first and apply it later.',
    steps: compared('a1 created', 'a1 deleted'),
  },
  {
    id: IN_ORDER_SCENARIOS.users,
    title: 'A user is created, and the event arrives.',
    rule: 'events.consumer.user-set-adds',
    advice:
      'When provisioning.user.created arrives, add data.userId to the set for data.accountId. The check creates its own Experiences, so accept any scope.experienceId.',
    steps: [...inOrder('u1 created', 'u2 created'), compare],
  },
  {
    id: 'user-deleted',
    title: 'A user is deleted, and the event arrives.',
    rule: 'events.consumer.user-set-removes',
    advice: 'When provisioning.user.deleted arrives, remove data.userId from the set for data.accountId.',
    steps: [...inOrder('u1 created'), comparePrecondition, ...inOrder('u1 deleted'), compare],
  },
  {
    id: DIFFERENT_ENTITIES_SCENARIO,
    title: 'An event about one connection arrives after a newer event about another connection.',
    rule: 'events.consumer.any-order',
    advice:
      'Store updatedAt for each entity, not once for all events. Store every connection of an account: an account may have one for each Experience.',
    steps: [change('c1', 'created'), ...inOrder('c2 created'), send('c1 created'), compare],
  },
  {
    id: OTHERS_REMAIN_SCENARIO,
    title: 'Another Experience is assigned to an account, and to a user, and these assignments are deleted.',
    rule: 'events.consumer.any-order',
    advice: 'Store each assignment by its id, and delete only the entity that a deletion event names. A user outlasts assignments.',
    steps: [
      { step: 'remember-others' },
      ...assignAndSend('a1', 'ACCOUNT'),
      ...assignAndSend('a2', 'USER'),
      { step: 'compare', what: 'everything' },
      // The consumer may have read the accounts' users only now.
      { step: 'remember-others' },
      ...inOrder('a1 deleted', 'a2 deleted'),
      { step: 'compare', what: 'everything' },
    ],
  },
  {
    id: 'connection-deleted-before-assignment',
    title: 'A connection is deleted, and an assignment to the same Experience and account remains.',
    rule: 'events.consumer.any-order',
    advice:
      'Delete only the entity that a deletion event names. Assignments may outlast a connection, and have deletion events of their own.',
    steps: [...inOrder('c1 created'), ...assignAndSend('a1', 'ACCOUNT'), comparePrecondition, ...inOrder('c1 deleted'), compare],
  },
  {
    id: 'number-of-another-country',
    title: "A telephone number of another country is assigned, and the assignment's event arrives.",
    rule: 'events.endpoint.acknowledges-what-it-keeps',
    advice: 'Accept telephone numbers of every country.',
    steps: [...assignAndSend('a1', 'FOREIGN_NUMBER'), compare],
  },
  {
    id: FUTURE_UPDATED_AT_SCENARIO,
    title: "An event's updatedAt is half a minute in the future.",
    rule: 'events.consumer.compares-instants',
    advice: '',
    observation:
      'The consumer ignores or refuses events whose updatedAt is half a minute in the future. The specification permits this, but many scenarios need such events.',
    refusalBreaksRule: true,
    steps: [...changeAndSend('c1', 'created', withUpdatedAt(0)), ...changeAndSend('c1', 'activated', withUpdatedAt(1)), compare],
  },
  {
    id: 'unknown-members-connection',
    title:
      'Connection events have members that the specification does not list: in the envelope, in the scope object and in the data object.',
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
    title: 'Assignment and user events have members that the specification does not list.',
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
    title: "An event's providerId is another provider's UUID.",
    rule: 'events.consumer.provider-id-opaque',
    advice: '',
    observation: "The consumer ignores or refuses events with another provider's providerId. The specification permits this.",
    refusalBreaksRule: true,
    steps: [...changeAndSend('c1', 'created', { providerId: '5d0b1f0e-6a53-4d4c-9a55-0f6c3f1d2b7a' }), compare],
  },
  {
    id: 'opaque-provider-id',
    title: 'The providerId is a number with a leading zero in one event, and a long string with special characters in the next.',
    rule: 'events.consumer.provider-id-opaque',
    advice: 'Keep providerId as a string of any form and length. Do not parse it, and do not require a UUID or a number.',
    // A consumer may ignore other providers' events.
    requires: ['other-provider-id'],
    refusalBreaksRule: true,
    steps: [
      ...changeAndSend('c1', 'created', { providerId: '0042' }),
      ...changeAndSend('c1', 'activated', { providerId: `urn:provider/é ${'x'.repeat(40)}` }),
      compare,
    ],
  },
];
