import { isDeepStrictEqual } from 'node:util';
import type { components, EventType } from '../../src/contract/generated/events.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { getValidator, type SchemaViolation } from '../../src/contract/validators.ts';
import { isObject } from '../../src/expect/response.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';

export interface Delivery {
  readonly method: string;
  /** Header values by header name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body parsed as JSON; undefined if the body is not JSON. */
  readonly json: unknown;
  /** When the complete request had arrived, in milliseconds since 1970. */
  readonly at: number;
  /** When the response is due: `at` plus the response's delay, in milliseconds since 1970. Absent if there is no response. */
  readonly answeredAt?: number;
}

export type Members = Readonly<Record<string, unknown>>;

/** Matches events with one of `ids` in any member, because a target may use the wrong member. */
export interface EventMatch {
  readonly type?: EventType;
  readonly ids: readonly string[];
  /** If absent, any scope matches. */
  readonly scope?: { readonly experienceId: string };
  /** The rule that requires the event. If absent, the event type's rule in RULE_BY_EVENT_TYPE. */
  readonly rule?: RuleId;
}

/** The rules for user events are about changes on the platform, because no API call creates or deletes users. */
export const RULE_BY_EVENT_TYPE: Readonly<Record<EventType, RuleId>> = {
  'experience.connection.created': 'events.connection.created.on-create',
  'experience.connection.activated': 'events.connection.activated.on-update',
  'experience.connection.deactivated': 'events.connection.deactivated.on-update',
  'experience.connection.deleted': 'events.connection.deleted.on-delete',
  'experience.assignment.created': 'events.assignment.created.on-create',
  'experience.assignment.deleted': 'events.assignment.deleted.on-delete',
  'provisioning.user.created': 'events.provisioning.created.on-platform-create',
  'provisioning.user.deleted': 'events.provisioning.deleted.on-platform-delete',
};

export function matchConnectionEvent(action: 'created' | 'activated' | 'deactivated' | 'deleted', connectionId: string) {
  return { type: `experience.connection.${action}`, ids: [connectionId] } as const;
}

export function matchAssignmentEvent(action: 'created' | 'deleted', assignmentId: string) {
  return { type: `experience.assignment.${action}`, ids: [assignmentId] } as const;
}

export function matchUserEvent(action: 'created' | 'deleted', userId: string) {
  return { type: `provisioning.user.${action}`, ids: [userId] } as const;
}

export function parseEvent({ json }: Delivery): Members {
  return toObject(json);
}

export function parseEventData(delivery: Delivery): Members {
  return toObject(parseEvent(delivery).data);
}

function toObject(value: unknown): Members {
  return isObject(value) ? value : {};
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

type Schemas = components['schemas'];
type DataMember = { [Of in 'Connection' | 'Assignment' | 'Provisioning']: keyof Schemas[`${Of}EventData`] }[
  | 'Connection'
  | 'Assignment'
  | 'Provisioning'];

const DATA_MEMBERS: Readonly<Record<DataMember, true>> = {
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
const SCOPE_MEMBERS: Readonly<Record<keyof Schemas['EventScope'], true>> = { experienceId: true };

/** Returns only an event's documented members, because other members may differ between attempts. */
export function pickDocumentedMembers(delivery: Delivery): Readonly<Record<keyof Schemas['EventEnvelope'] | 'data', unknown>> {
  const { type, timestamp, subscriptionId, scope, data } = parseEvent(delivery);
  return { type, timestamp, subscriptionId, scope: pickMembers(SCOPE_MEMBERS, scope), data: pickMembers(DATA_MEMBERS, data) };
}

function pickMembers(members: Readonly<Record<string, true>>, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(members, name))) : value;
}

export function validateEvent(type: EventType, delivery: Delivery): readonly SchemaViolation[] {
  return getValidator(schemaReferences.events[type])(parseEvent(delivery));
}

/** Expects a delivery header to match its schema. @throws RuleBroken if the header is missing or invalid */
export function expectHeader({ headers }: Delivery, name: 'webhook-id' | 'webhook-timestamp'): string {
  const finding = getValidator(schemaReferences.deliveryHeaders)(headers).find(({ pointer }) => pointer === `/${name}`);
  must(!finding, `a delivery has a valid ${name}, which ${finding?.message}, not ${headers[name] ?? 'none'}`);
  return headers[name] ?? '';
}

function isSameEvent(first: Delivery, second: Delivery): boolean {
  const readContent = (delivery: Delivery) => ({ ...pickDocumentedMembers(delivery), timestamp: undefined, subscriptionId: undefined });
  return isDeepStrictEqual(readContent(first), readContent(second));
}

/**
 * Ignores deliveries without the header, because a different rule requires it.
 * @param byId the known deliveries by webhook-id; new ones are added
 */
export function expectUniqueIds(byId: Map<string, Delivery>, deliveries: readonly Delivery[]): void {
  for (const delivery of deliveries) {
    const id = delivery.headers['webhook-id'];
    if (!id) continue;
    const known = byId.get(id) ?? delivery;
    must(isSameEvent(known, delivery), `${id} identifies one event, not both ${known.text} and ${delivery.text}`);
    byId.set(id, known);
  }
}
