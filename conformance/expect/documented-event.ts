import type { components } from '../../src/contract/generated/events.ts';
import { eventOf, isObject } from '../actors/inbox.ts';
import type { Delivery } from '../actors/receiver.ts';

type Schemas = components['schemas'];
type DataMember = { [Of in 'Connection' | 'Assignment' | 'Provisioning']: keyof Schemas[`${Of}EventData`] }[
  | 'Connection'
  | 'Assignment'
  | 'Provisioning'];

const DATA: Readonly<Record<DataMember, true>> = {
  connectionId: true,
  assignmentId: true,
  userId: true,
  experienceId: true,
  experienceName: true,
  providerId: true,
  accountId: true,
  targetType: true,
  targetValue: true,
  updatedAt: true,
};
const SCOPE: Readonly<Record<keyof Schemas['EventScope'], true>> = { experienceId: true };

/** What the specification says of an event, to compare it with another delivery: members of the target's own may change with every attempt. */
export function documentedEvent(delivery: Delivery): Readonly<Record<keyof Schemas['EventEnvelope'] | 'data', unknown>> {
  const { type, timestamp, subscriptionId, scope, data } = eventOf(delivery);
  return { type, timestamp, subscriptionId, scope: only(SCOPE, scope), data: only(DATA, data) };
}

/** What is no object, which is the matter of another rule, is compared as it is. */
function only(members: Readonly<Record<string, true>>, told: unknown): unknown {
  return isObject(told) ? Object.fromEntries(Object.entries(told).filter(([name]) => Object.hasOwn(members, name))) : told;
}
