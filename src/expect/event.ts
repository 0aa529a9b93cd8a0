import { isDeepStrictEqual } from 'node:util';
import type { components, EventType } from '../contract/generated/events.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { getValidator, type SchemaViolation } from '../contract/validators.ts';
import { isObject } from './response.ts';
import { must } from './rule-broken.ts';

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

export function parseEvent({ json }: Delivery): Members {
  return toObject(json);
}

export function parseEventData(delivery: Delivery): Members {
  return toObject(parseEvent(delivery).data);
}

export function toObject(value: unknown): Members {
  return isObject(value) ? value : {};
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

/**
 * Expects a repeat of a delivery to contain the same event.
 * @throws RuleBroken
 */
export function expectRepeat(first: Delivery, repeat: Delivery): void {
  const [expected, found] = [pickDocumentedMembers(first), pickDocumentedMembers(repeat)];
  for (const name of ['type', 'timestamp', 'subscriptionId', 'scope', 'data'] as const) {
    const [before, after] = [expected[name], found[name]];
    must(
      isDeepStrictEqual(after, before),
      `${name} in a repeat of ${String(expected.type)} is ${JSON.stringify(before)}, not ${JSON.stringify(after)}`,
    );
  }
}

/** A larger timestamp must be in milliseconds, because seconds since 1970 reach this number only in the year 5138. */
const MIN_MILLISECONDS = 1e11;

/** Expects the header webhook-timestamp to be a Unix time in seconds. @throws RuleBroken */
export function expectTimestamp(delivery: Delivery): void {
  const text = expectHeader(delivery, 'webhook-timestamp');
  must(Number(text) < MIN_MILLISECONDS, `webhook-timestamp is in seconds, not ${text}`);
}

/** Slightly more than one second, so that two deliveries have different webhook-timestamps. */
export const WEBHOOK_TIMESTAMP_STEP_MS = 1100;
/** The longest time, in milliseconds, that a delivery may take to arrive on a busy machine. */
const MAX_TRANSIT_MS = 10_000;

/**
 * Returns whether the times prove that a delivery was sent at least one second after the event's first delivery.
 * @param all the event's deliveries, in order of arrival
 */
export function isSentInLaterSecond({ at }: Delivery, index: number, all: readonly Delivery[]): boolean {
  const first = all[0]?.at ?? at;
  const before = all[index - 1];
  const answeredAt = before?.answeredAt ?? before?.at ?? first;
  // A delivery that arrived before this answer was sent at the same time as the previous one, for example by another worker.
  return at - first >= MAX_TRANSIT_MS || (at >= answeredAt && answeredAt - first >= WEBHOOK_TIMESTAMP_STEP_MS);
}
