import type { Schemas } from '../../kit/control.ts';

export type EventType = Schemas['SubscriptionInForce']['types'][number];

/** A missing type is a compile error. */
const TYPES: Readonly<Record<EventType, true>> = {
  'experience.connection.created': true,
  'experience.connection.activated': true,
  'experience.connection.deactivated': true,
  'experience.connection.deleted': true,
  'experience.assignment.created': true,
  'experience.assignment.deleted': true,
  'provisioning.user.created': true,
  'provisioning.user.deleted': true,
};

export const eventTypes = Object.keys(TYPES) as EventType[];
