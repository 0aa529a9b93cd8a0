import type { EventType } from '../../contract/generated/events.ts';
import type { AssignmentTarget } from './check-entities.ts';
import type { Change, Compare, EntityName, Rewrite, Send, Step } from './scenario.ts';

type Action = 'created' | 'activated' | 'deactivated' | 'deleted';

const EVENT_TYPE_PREFIXES = { c: 'experience.connection.', a: 'experience.assignment.', u: 'provisioning.user.' } as const;

/** @param entity a name such as `c1`, whose first letter stands for connection, assignment or user */
export function change(entity: EntityName, action: Action, account?: number): Change {
  const type = `${EVENT_TYPE_PREFIXES[entity[0] as keyof typeof EVENT_TYPE_PREFIXES]}${action}` as EventType;
  return { step: 'change', type, entity, event: `${entity} ${action}`, ...(account !== undefined && { account }) };
}

export function send(event: string, rewrite?: Rewrite, options: Partial<Send> = {}): Send {
  return { step: 'send', event, ...(rewrite && { as: rewrite }), ...options };
}

export function changeAndSend(entity: EntityName, action: Action, rewrite?: Rewrite, account?: number): [Change, Send] {
  const step = change(entity, action, account);
  return [step, send(step.event, rewrite)];
}

export function assignAndSend(entity: EntityName, targetType: AssignmentTarget): [Change, Send] {
  return [{ ...change(entity, 'created'), targetType }, send(`${entity} created`)];
}

/** Makes changes such as `c1 created`, and delivers each event. */
export function inOrder(...events: readonly `${EntityName} ${Action}`[]): (Change | Send)[] {
  return events.flatMap((event) => changeAndSend(...(event.split(' ') as [EntityName, Action])));
}

/** Like `inOrder`, with a comparison after each event. */
export const compared = (...events: readonly `${EntityName} ${Action}`[]): Step[] =>
  events.flatMap((event) => [...inOrder(event), compare]);

export function burst(...events: readonly string[]): Step {
  return { step: 'burst', sends: events.map((event) => ({ event })) };
}

export const compare: Compare = { step: 'compare' };

export const comparePrecondition: Compare = { step: 'compare', precondition: true };

export const storeLoss: readonly Step[] = [{ step: 'wait-for-lists' }, { step: 'lose-store' }];

export const withUpdatedAt = (seconds: number, digits = 3, zone: 'Z' | '+00:00' = 'Z'): Rewrite => ({
  updatedAt: { seconds, digits, zone },
});
