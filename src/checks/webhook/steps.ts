import type { EventType } from '../../contract/generated/events.ts';
import type { Change, Compare, EntityName, Rewrite, Send, Step } from './scenario.ts';

const EVENT_TYPE_PREFIXES = { c: 'experience.connection.', a: 'experience.assignment.', u: 'provisioning.user.' } as const;

/**
 * Returns a change to an entity. `change('c1', 'activated')` publishes an event named `c1 activated`. The entity name's first letter stands
 * for connection, assignment or user.
 */
export function change(entity: EntityName, what: 'created' | 'activated' | 'deactivated' | 'deleted', account?: number): Change {
  const type = `${EVENT_TYPE_PREFIXES[entity[0] as keyof typeof EVENT_TYPE_PREFIXES]}${what}` as EventType;
  return { step: 'change', type, entity, event: `${entity} ${what}`, ...(account !== undefined && { account }) };
}

export function send(event: string, as?: Rewrite, more: Partial<Send> = {}): Send {
  return { step: 'send', event, ...(as && { as }), ...more };
}

/** Returns a change and the delivery of its event. */
export function changeAndSend(
  entity: EntityName,
  what: 'created' | 'activated' | 'deactivated' | 'deleted',
  as?: Rewrite,
  account?: number,
): [Change, Send] {
  const step = change(entity, what, account);
  return [step, send(step.event, as)];
}

export function burst(...events: readonly string[]): Step {
  return { step: 'burst', sends: events.map((event) => ({ event })) };
}

export const compare: Compare = { step: 'compare' };

/** The scenario continues only if the consumer's state equals the world. */
export const comparePrecondition: Compare = { step: 'compare', precondition: true };

export const withUpdatedAt = (seconds: number, digits = 3, zone: 'Z' | '+00:00' = 'Z'): Rewrite => ({
  updatedAt: { seconds, digits, zone },
});
