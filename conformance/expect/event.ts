import type { components, EventType } from '../../src/contract/generated/events.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import { type Finding, validator } from '../../src/contract/validators.ts';
import { sameId } from './compare.ts';
import { must } from './rule-broken.ts';

/** The request that delivered an event to a webhook. */
export interface Delivery {
  readonly method: string;
  /** Header values by header name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body parsed as JSON; undefined if the body is not JSON. */
  readonly json: unknown;
  /** The time at which the request was complete, in milliseconds since 1970 by the clock of this machine. */
  readonly at: number;
  /** The earliest time at which the request was answered, in milliseconds since 1970. Absent: it was not answered. */
  readonly answeredAt?: number;
}

/** A JSON object in the body of a delivery. The object has not been validated, so any member may be missing or have the wrong type. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Selects the events whose body contains one of `ids`, in any letter case. The whole body is searched, because a faulty target may put an
 * id into the wrong member.
 */
export interface EventMatch {
  readonly type?: EventType;
  readonly ids: readonly string[];
  /** The `scope` that the event must contain. Absent: any scope matches. */
  readonly scope?: { readonly experienceId: string };
  /** The rule that requires the event. Absent: the rule in REQUIRED_BY. */
  readonly rule?: RuleId;
}

/**
 * The rule that requires each type of event. For connections and assignments, it is the rule about changes through the API. For users, it
 * is the rule about changes on the platform, because the API does not change users.
 */
export const REQUIRED_BY: Readonly<Record<EventType, RuleId>> = {
  'experience.connection.created': 'events.connection.created.on-create',
  'experience.connection.activated': 'events.connection.activated.on-update',
  'experience.connection.deactivated': 'events.connection.deactivated.on-update',
  'experience.connection.deleted': 'events.connection.deleted.on-delete',
  'experience.assignment.created': 'events.assignment.created.on-create',
  'experience.assignment.deleted': 'events.assignment.deleted.on-delete',
  'provisioning.user.created': 'events.provisioning.created.on-platform-create',
  'provisioning.user.deleted': 'events.provisioning.deleted.on-platform-delete',
};

export function connectionEvent(what: 'created' | 'activated' | 'deactivated' | 'deleted', connectionId: string) {
  return { type: `experience.connection.${what}`, ids: [connectionId] } as const;
}

export function assignmentEvent(what: 'created' | 'deleted', assignmentId: string) {
  return { type: `experience.assignment.${what}`, ids: [assignmentId] } as const;
}

/** Selects the events about a user, for every Experience. @param userId the unified id of the user */
export function userEvent(what: 'created' | 'deleted', userId: string) {
  return { type: `provisioning.user.${what}`, ids: [userId] } as const;
}

/** The body of a delivery; `{}` if the body is not an object. */
export function eventOf({ json }: Delivery): Members {
  return objectOr(json);
}

/** The `data` of an event; `{}` if `data` is missing or not an object. */
export function dataOf(delivery: Delivery): Members {
  return objectOr(eventOf(delivery).data);
}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOr(value: unknown): Members {
  return isObject(value) ? value : {};
}

export function matches(delivery: Delivery, { type, ids, scope }: EventMatch): boolean {
  const event = eventOf(delivery);
  if (type !== undefined && event.type !== type) return false;
  if (scope !== undefined && !sameId(objectOr(event.scope).experienceId, scope.experienceId)) return false;
  return mentions(delivery, ids);
}

/** Whether a delivery contains one of the ids anywhere in its body. */
export function mentions({ json, text }: Delivery, ids: readonly string[]): boolean {
  const values = [...stringsIn(json)];
  const isIn = (id: string) => (json === undefined ? text.toLowerCase().includes(id) : values.includes(id));
  return ids.some((id) => isIn(id.toLowerCase()));
}

/**
 * Yields the strings of a JSON value in lower case. Skips arrays, because an event is about one entity and does not list its id in an
 * array.
 */
function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value.toLowerCase();
  else if (isObject(value)) for (const member of Object.values(value)) yield* stringsIn(member);
}

/** The distinct webhook-ids of deliveries. All deliveries of one event have the same webhook-id. */
export function eventIds(deliveries: readonly Delivery[]): ReadonlySet<string> {
  return new Set(deliveries.map(eventId));
}

/**
 * Identifies the event of a delivery by its webhook-id. Uses the body if the header is missing, because the missing header breaks a
 * different rule.
 */
export function eventId({ headers, text }: Delivery): string {
  return headers['webhook-id'] ?? text;
}

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

/** The documented members of an event, for comparing deliveries. Undocumented members may differ in every attempt. */
export function documentedEvent(delivery: Delivery): Readonly<Record<keyof Schemas['EventEnvelope'] | 'data', unknown>> {
  const { type, timestamp, subscriptionId, scope, data } = eventOf(delivery);
  return { type, timestamp, subscriptionId, scope: pick(SCOPE, scope), data: pick(DATA, data) };
}

/**
 * Copies an object with only these members. Returns a value that is not an object unchanged, because such a value breaks a different rule.
 */
function pick(members: Readonly<Record<string, true>>, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(members, name))) : value;
}

/** Validates a delivery against the schema for events of this type. */
export function eventFindings(type: EventType, delivery: Delivery): readonly Finding[] {
  return validator(schemaReferences.events[type])(eventOf(delivery));
}

/** Expects a delivery header to fit its schema. @returns the value of the header @throws RuleBroken if the header is missing or invalid */
export function expectHeader({ headers }: Delivery, name: 'webhook-id' | 'webhook-timestamp'): string {
  const finding = validator(schemaReferences.deliveryHeaders)(headers).find(({ pointer }) => pointer === `/${name}`);
  must(!finding, `a delivery carries a valid ${name}, which ${finding?.message}, not ${headers[name] ?? 'none'}`);
  return headers[name] ?? '';
}
