import type { EventType } from '../../src/contract/generated/events.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { type Delivery, parseEvent, toObject } from '../../src/expect/event.ts';
import { isObject } from '../../src/expect/response.ts';
import { isSameId } from '../../src/expect/same-id.ts';

/** Matches events with one of `ids` in any member, because a target may use the wrong member. */
export interface EventMatch {
  readonly type?: EventType;
  readonly ids: readonly string[];
  /** If absent, any scope matches. */
  readonly scope?: { readonly experienceId: string };
  /** The rule that requires the event. If absent, the event type's rule in RULE_BY_EVENT_TYPE. */
  readonly rule?: RuleId;
}

export function matchConnectionEvent(action: 'created' | 'activated' | 'deactivated' | 'deleted', connectionId: string) {
  return { type: `experience.connection.${action}`, ids: [connectionId] } as const;
}

export function matchAssignmentEvent(action: 'created' | 'deleted', assignmentId: string) {
  return { type: `experience.assignment.${action}`, ids: [assignmentId] } as const;
}

export function matchUserEvent(action: 'created' | 'deleted', userId: string) {
  return { type: `provisioning.user.${action}`, ids: [userId] } as const;
}

export function matchesEvent(delivery: Delivery, { type, ids, scope }: EventMatch): boolean {
  const event = parseEvent(delivery);
  if (type !== undefined && event.type !== type) return false;
  if (scope !== undefined && !isSameId(toObject(event.scope).experienceId, scope.experienceId)) return false;
  return containsAnyId(delivery, ids);
}

export function containsAnyId({ json, text }: Delivery, ids: readonly string[]): boolean {
  const values = [...iterateStrings(json)];
  const isIncluded = (id: string) => (json === undefined ? text.toLowerCase().includes(id) : values.includes(id));
  return ids.some((id) => isIncluded(id.toLowerCase()));
}

/** Skips arrays, which never contain an entity's id. */
function* iterateStrings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value.toLowerCase();
  else if (isObject(value)) for (const member of Object.values(value)) yield* iterateStrings(member);
}

export function collectEventIds(deliveries: readonly Delivery[]): ReadonlySet<string> {
  return new Set(deliveries.map(identifyEvent));
}

export function identifyEvent({ headers, text }: Delivery): string {
  return headers['webhook-id'] ?? text;
}
