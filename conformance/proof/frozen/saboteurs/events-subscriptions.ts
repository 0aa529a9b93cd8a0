import { type EventType, eventTypes } from '../../../../src/contract/generated/events.ts';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { type Delivered, eventIn, isType } from '../delivered.ts';
import {
  ACKNOWLEDGED,
  delivering,
  reddening,
  rememberingDeliveries,
  type Saboteur,
  type SaboteursOf,
  type Subscriber,
} from '../saboteur.ts';

type Rule = Extract<TestableRuleId['asyncapi'], `events.subscription.${string}`>;

/** A server that does not heed what some subscriptions want: what one gets all get. @param types only events of these; none: all events */
function spreading(does: string, ...types: readonly EventType[]): Saboteur {
  return rememberingDeliveries(does, () => async (delivery, subscriber, behind) => {
    if (types.length > 0 && !isType(delivery, ...types)) return subscriber(delivery);
    await behind.deliver(delivery);
    return ACKNOWLEDGED;
  });
}

/** A server that leaves out those subscriptions whose members, as the operator knows them, are so. @param types but gives them these */
function leavingOut(
  does: string,
  where: (subscription: Readonly<Record<string, unknown>>) => boolean,
  ...types: readonly EventType[]
): Saboteur {
  return delivering(does, async (delivery, { control }) => {
    const subscription = await control.find('subscriptions', String(eventIn(delivery).subscriptionId));
    return subscription !== undefined && where(subscription) && !isType(delivery, ...types) ? 'lost' : undefined;
  });
}

const hasExperience = ({ experience }: Readonly<Record<string, unknown>>) => experience != null;
const listsSome = ({ types }: Readonly<Record<string, unknown>>) => (types as readonly unknown[]).length < eventTypes.length;

/** Servers that take the wrong subscriptions, or the wrong addresses. */
export const eventsSubscriptions: SaboteursOf<Rule> = {
  'events.subscription.delivered-to-destination': [
    rememberingDeliveries('Delivers the events of all subscriptions to the address of one of them.', () => {
      let one: Subscriber | undefined;
      return (delivery, subscriber) => {
        one ??= subscriber;
        return one(delivery);
      };
    }),
    reddening(
      60,
      'nothing of events is seen',
      delivering('Delivers to the host of the destinationUrl without its path.', () => 'lost'),
    ),
    rememberingDeliveries('Delivers to the address of another subscription as well.', () => async (delivery, _, behind) => {
      await behind.deliver(delivery);
      return ACKNOWLEDGED;
    }),
    rememberingDeliveries('Delivers to the address of another subscription as well, but not before the next event is there.', () => {
      let last: Delivered | undefined;
      return async (delivery, subscriber, behind) => {
        const late = last;
        last = delivery;
        if (late) await behind.deliver(late);
        return subscriber(delivery);
      };
    }),
  ],
  'events.subscription.only-listed-types': [
    spreading('Gives every subscription the events of all types.'),
    spreading('Takes a list with one type of assignment events for all of assignments.', 'experience.assignment.deleted'),
    spreading('Takes created and activated for one type.', 'experience.connection.created', 'experience.connection.activated'),
    spreading('Gives every subscription the assignments that are created.', 'experience.assignment.created'),
    leavingOut(
      'Gives to a subscription that does not list all types what is created alone.',
      listsSome,
      'experience.connection.created',
      'experience.assignment.created',
    ),
    spreading('Gives every subscription the events of users.', 'provisioning.user.created', 'provisioning.user.deleted'),
  ],
  'events.subscription.only-its-experience': [
    spreading('Gives every subscription the events of all Experiences.'),
    spreading(
      'Gives the events of users to the subscriptions of all Experiences.',
      'provisioning.user.created',
      'provisioning.user.deleted',
    ),
    spreading('Gives deletions to the subscriptions of all Experiences.', 'experience.connection.deleted', 'experience.assignment.deleted'),
  ],
  'events.subscription.every-match': [
    rememberingDeliveries('Delivers an event to the first subscription that it matches.', () => {
      const owners = new Map<unknown, unknown>();
      return async (delivery, subscriber) => {
        const { subscriptionId } = eventIn(delivery);
        const id = delivery.headers['webhook-id'];
        const owner = owners.get(id) ?? subscriptionId;
        owners.set(id, owner);
        return owner === subscriptionId ? subscriber(delivery) : ACKNOWLEDGED;
      };
    }),
    leavingOut('Delivers nothing to a subscription with an experienceId.', hasExperience),
    leavingOut(
      'Delivers nothing but assignments that are created to a subscription with an experienceId.',
      hasExperience,
      'experience.assignment.created',
    ),
    leavingOut(
      'Delivers to a subscription with an experienceId what becomes of connections and users, and not that they are created.',
      hasExperience,
      ...eventTypes.filter((type) => !['experience.connection.created', 'provisioning.user.created'].includes(type)),
    ),
    leavingOut(
      'Delivers to a subscription that does not list all types what happens to connections alone.',
      listsSome,
      ...eventTypes.filter((type) => type.startsWith('experience.connection.')),
    ),
    reddening(
      60,
      'most checks hear of events by a subscription to all of them',
      leavingOut(
        'Delivers only to subscriptions that are narrowed to an Experience or to types, where there are any.',
        ({ experience, types }) => experience == null && (types as readonly unknown[]).length > 1,
      ),
    ),
  ],
};
