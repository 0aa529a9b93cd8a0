import { randomUUID } from 'node:crypto';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { type Delivered, dataIn, eventIn, withEvent } from '../delivered.ts';
import { rememberingDeliveries, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { ELSEWHERE, GOING_ALONG, ofCauses } from './events-causes.ts';
import { always, hoursBefore, ofType, unrecognized } from './events-members.ts';

const CREATED = 'experience.connection.created';
const ACTIVATED = 'experience.connection.activated';
const DEACTIVATED = 'experience.connection.deactivated';
const DELETED = 'experience.connection.deleted';
const ASSIGNED = 'experience.assignment.created';
const UNASSIGNED = 'experience.assignment.deleted';
const USER_CREATED = 'provisioning.user.created';
const USER_DELETED = 'provisioning.user.deleted';

type Member = 'type' | 'timestamp' | 'subscriptionId' | 'scope' | 'data';

/** A server that sends something else for a member of the envelope in one type of event. @param causes of which ones, if not all */
function sending(
  how: string,
  member: Member,
  type: Parameters<typeof ofType>[1][number],
  wrong: (delivery: Delivered) => unknown,
  causes?: typeof ELSEWHERE,
): Saboteur {
  const does = `Sends ${how} for the ${member} of ${type}`;
  const change = (delivery: Delivered) => withEvent(delivery, { [member]: wrong(delivery) });
  if (causes === undefined) return ofType(`${does}.`, [type], change);
  const where = causes === ELSEWHERE ? 'is done in a portal or on the platform' : 'goes with its account or its target';
  return ofCauses(`${does} where it ${where}.`, [type], causes, change);
}

const timestampIn = (delivery: Delivered): string => eventIn(delivery).timestamp;

/** The same instant. */
const inParis = (instant: string) => hoursBefore(instant, -1).replace('Z', '+01:00');

/** Servers that put events in another envelope. */
export const eventsEnvelope = {
  'events.envelope.type': unrecognized([
    sending('nothing', 'type', DELETED, () => undefined),
    sending('two words', 'type', CREATED, () => 'connection.created'),
    sending('a constant of its own', 'type', USER_CREATED, () => 'PROVISIONING_USER_CREATED'),
    sending('a path', 'type', UNASSIGNED, () => 'experience/assignment/deleted'),
    sending('null', 'type', ACTIVATED, () => null),
    sending('a list', 'type', ASSIGNED, () => ['experience', 'assignment', 'created']),
  ]),
  'events.envelope.timestamp': [
    sending('nothing', 'timestamp', USER_DELETED, () => undefined),
    sending('milliseconds', 'timestamp', DEACTIVATED, (delivery) => Date.parse(timestampIn(delivery))),
    sending('an instant that is not in UTC', 'timestamp', ASSIGNED, (delivery) => inParis(timestampIn(delivery))),
    sending('an instant that says no zone', 'timestamp', CREATED, (delivery) => timestampIn(delivery).slice(0, -1)),
    sending('a word', 'timestamp', DELETED, () => 'yesterday', GOING_ALONG),
  ],
  'events.envelope.timestamp-of-event': [
    always('Sends the time of the sending for timestamp.', (delivery) => withEvent(delivery, { timestamp: new Date().toISOString() })),
    always('Sends the time of the sending for timestamp, in whole seconds.', (delivery) =>
      withEvent(delivery, { timestamp: new Date().toISOString().replace(/\.\d+/, '') }),
    ),
    always('Takes the local time for UTC in timestamp.', (delivery) =>
      withEvent(delivery, { timestamp: hoursBefore(timestampIn(delivery), 5) }),
    ),
  ],
  'events.envelope.subscription-id': [
    sending('nothing', 'subscriptionId', DELETED, () => undefined),
    sending('null', 'subscriptionId', ACTIVATED, () => null, ELSEWHERE),
    sending('an id of its own', 'subscriptionId', ASSIGNED, () => randomUUID()),
    rememberingDeliveries('Sends an event to every subscription as it sent it to the first.', () => {
      const firsts = new Map<string | undefined, unknown>();
      return (delivery, subscriber) => {
        const id = delivery.headers['webhook-id'];
        const subscriptionId = firsts.get(id) ?? eventIn(delivery).subscriptionId;
        firsts.set(id, subscriptionId);
        return subscriber(withEvent(delivery, { subscriptionId }));
      };
    }),
  ],
  'events.envelope.scope': [
    sending('nothing', 'scope', USER_DELETED, () => undefined),
    sending('an empty object', 'scope', DEACTIVATED, () => ({}), ELSEWHERE),
    sending('an empty object', 'scope', UNASSIGNED, () => ({}), GOING_ALONG),
    sending('the experienceId itself', 'scope', ASSIGNED, (delivery) => eventIn(delivery).scope.experienceId),
    sending('an object with null', 'scope', USER_CREATED, () => ({ experienceId: null })),
    sending('a list', 'scope', DELETED, (delivery) => [eventIn(delivery).scope]),
  ],
  'events.envelope.scope-experience': [
    sending('the account', 'scope', DELETED, (delivery) => ({ experienceId: dataIn(delivery).accountId }), GOING_ALONG),
    sending('the provider', 'scope', ASSIGNED, (delivery) => ({ experienceId: dataIn(delivery).providerId })),
    sending('the account', 'scope', USER_DELETED, (delivery) => ({ experienceId: dataIn(delivery).accountId })),
    sending('another Experience', 'scope', USER_CREATED, () => ({ experienceId: randomUUID() })),
  ],
  'events.envelope.data': unrecognized([
    sending('null', 'data', USER_DELETED, () => null),
    sending('JSON as text', 'data', DELETED, (delivery) => JSON.stringify(dataIn(delivery))),
    sending('a list', 'data', ASSIGNED, (delivery) => [dataIn(delivery)]),
    ofType(`Sends what belongs into data beside the type in ${ACTIVATED}.`, [ACTIVATED], (delivery) =>
      withEvent(delivery, { ...dataIn(delivery), data: undefined }),
    ),
  ]),
} satisfies SaboteursOf<Extract<TestableRuleId['asyncapi'], `events.envelope.${string}`>>;
