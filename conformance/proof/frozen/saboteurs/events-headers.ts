import { randomUUID } from 'node:crypto';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { type Delivered, dataIn, eventIn, withDeliveryHeaders } from '../delivered.ts';
import { isSuccess, type Reply } from '../exchange.ts';
import { rememberingDeliveries, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { ELSEWHERE, GOING_ALONG, ofCauses } from './events-causes.ts';
import { always, ofType } from './events-members.ts';

const ID = 'webhook-id';
const TIMESTAMP = 'webhook-timestamp';

const withId = (delivery: Delivered, id: string | undefined) => withDeliveryHeaders(delivery, { [ID]: id });
const withTimestamp = (delivery: Delivered, text: unknown) =>
  withDeliveryHeaders(delivery, { [TIMESTAMP]: text === undefined ? text : `${text}` });
const timestampOf = ({ headers }: Delivered) => Number(headers[TIMESTAMP]);
const entityOf = (delivery: Delivered) => {
  const { connectionId, assignmentId, userId } = dataIn(delivery);
  return String(connectionId ?? assignmentId ?? userId);
};

/** A server that changes the repeats that follow such an answer. @param change is given the first attempt, too */
function inRepeats(
  does: string,
  change: (repeat: Delivered, first: Delivered) => Delivered,
  follows: (reply: Reply | undefined) => boolean = () => true,
): Saboteur {
  return rememberingDeliveries(does, () => {
    const firsts = new Map<string | undefined, Delivered>();
    return async (delivery, subscriber) => {
      const first = firsts.get(delivery.headers[ID]);
      const reply = await subscriber(first ? change(delivery, first) : delivery);
      if (!first && !(reply && isSuccess(reply)) && follows(reply)) firsts.set(delivery.headers[ID], delivery);
      return reply;
    };
  });
}

/** Servers that send deliveries with other headers. */
export const eventsHeaders = {
  'events.headers.webhook-id': [
    ofType('Sends provisioning.user.deleted without webhook-id.', ['provisioning.user.deleted'], (delivery) => withId(delivery, undefined)),
    ofCauses(
      'Sends assignments of a portal or the platform with an empty webhook-id.',
      ['experience.assignment.created'],
      ELSEWHERE,
      (delivery) => withId(delivery, ''),
    ),
    ofCauses(
      'Sends connections that go with their account without webhook-id.',
      ['experience.connection.deleted'],
      GOING_ALONG,
      (delivery) => withId(delivery, undefined),
    ),
    ofType('Calls the header x-webhook-id in experience.connection.activated.', ['experience.connection.activated'], (delivery) =>
      withDeliveryHeaders(delivery, { [ID]: undefined, 'x-webhook-id': delivery.headers[ID] }),
    ),
  ],
  'events.headers.webhook-id-unique': [
    ofType(
      'Sends the userId as the webhook-id of provisioning events.',
      ['provisioning.user.created', 'provisioning.user.deleted'],
      (delivery) => withId(delivery, entityOf(delivery)),
    ),
    always('Makes the webhook-id of the type and what the event is about.', (delivery) =>
      withId(delivery, `${eventIn(delivery).type}:${entityOf(delivery)}`),
    ),
    ofType(
      'Gives the events of one user for several Experiences one webhook-id.',
      ['provisioning.user.created', 'provisioning.user.deleted'],
      (delivery) => withId(delivery, `${eventIn(delivery).type}:${entityOf(delivery)}:${dataIn(delivery).updatedAt}`),
    ),
    always('Makes the webhook-id of what was changed, and when its state changed.', (delivery) => {
      const { accountId, targetValue, userId, updatedAt } = dataIn(delivery);
      const { type, scope } = eventIn(delivery);
      const since = /activated$/.test(type) ? updatedAt : '';
      return withId(delivery, [type, scope?.experienceId, accountId, targetValue, userId, since].join());
    }),
    always('Sends the subscriptionId as the webhook-id.', (delivery) => withId(delivery, eventIn(delivery).subscriptionId)),
    rememberingDeliveries('Counts the events about each connection anew.', () => {
      const numbers = new Map<string, Map<string | undefined, number>>();
      return (delivery, subscriber) => {
        const known = numbers.get(entityOf(delivery)) ?? new Map<string | undefined, number>();
        const number = known.get(delivery.headers[ID]) ?? known.size + 1;
        numbers.set(entityOf(delivery), known.set(delivery.headers[ID], number));
        return subscriber(withId(delivery, `event-${number}`));
      };
    }),
  ],
  'events.headers.webhook-id-kept': [
    inRepeats('Sends a repeat under an id of its own.', (repeat) => withId(repeat, randomUUID())),
    inRepeats('Sends a repeat without webhook-id.', (repeat) => withId(repeat, undefined)),
    inRepeats(
      'Sends a repeat under an id of its own where the first attempt was not answered.',
      (repeat) => withId(repeat, `${repeat.headers[ID]}-2`),
      (reply) => reply === undefined,
    ),
    inRepeats(
      'Sends a repeat under an id of its own where the first attempt was answered with 500.',
      (repeat) => withId(repeat, `${repeat.headers[ID]}-2`),
      (reply) => reply?.status === 500,
    ),
  ],
  'events.headers.webhook-timestamp': [
    ofType('Sends provisioning.user.created without webhook-timestamp.', ['provisioning.user.created'], (delivery) =>
      withTimestamp(delivery, undefined),
    ),
    ofCauses(
      'Sends the webhook-timestamp of assignments that go with their account or their target in milliseconds.',
      ['experience.assignment.deleted'],
      GOING_ALONG,
      (delivery) => withTimestamp(delivery, timestampOf(delivery) * 1000),
    ),
    ofCauses(
      'Sends connections that become INACTIVE in a portal or on the platform without webhook-timestamp.',
      ['experience.connection.deactivated'],
      ELSEWHERE,
      (delivery) => withTimestamp(delivery, undefined),
    ),
    ofType('Sends the webhook-timestamp of experience.connection.created in ISO 8601.', ['experience.connection.created'], (delivery) =>
      withTimestamp(delivery, new Date(timestampOf(delivery) * 1000).toISOString()),
    ),
    ofType('Sends the webhook-timestamp of deleted connections with its unit.', ['experience.connection.deleted'], (delivery) =>
      withTimestamp(delivery, `${timestampOf(delivery)}s`),
    ),
  ],
  'events.headers.webhook-timestamp-when-sent': [
    ofType('Takes the local time for UTC in the webhook-timestamp of deleted assignments.', ['experience.assignment.deleted'], (delivery) =>
      withTimestamp(delivery, timestampOf(delivery) + 3600),
    ),
    ofType(
      'Sends an hour ago in the webhook-timestamp of provisioning events.',
      ['provisioning.user.created', 'provisioning.user.deleted'],
      (delivery) => withTimestamp(delivery, timestampOf(delivery) - 3600),
    ),
    always('Sends 0 for the webhook-timestamp.', (delivery) => withTimestamp(delivery, 0)),
  ],
  'events.headers.webhook-timestamp-of-repeat': [
    inRepeats('Sends a repeat with the webhook-timestamp of the first attempt.', (repeat, first) =>
      withTimestamp(repeat, timestampOf(first)),
    ),
    always('Sends the time of the event for that of the sending.', (delivery) =>
      withTimestamp(delivery, Math.floor(Date.parse(eventIn(delivery).timestamp) / 1000)),
    ),
    inRepeats('Sends a repeat without webhook-timestamp.', (repeat) => withTimestamp(repeat, undefined)),
  ],
} satisfies SaboteursOf<Extract<TestableRuleId['asyncapi'], `events.headers.${string}`>>;
