import { createHash } from 'node:crypto';
import type { PublishedEvent } from './check-world.ts';
import type { FormattedInstant, Rewrite } from './scenario.ts';

export interface Delivery {
  readonly webhookId: string;
  readonly body: string;
  readonly updatedAt: string;
  /** Whether header names have capitals, and the content type has a charset. HTTP permits both. */
  readonly otherHeaders?: boolean;
}

/** @param baseMs the instant to which `updatedAt.seconds` is added, in milliseconds since the Unix epoch */
export function writeDelivery({ webhookId, body }: PublishedEvent, rewrite: Rewrite, baseMs: number): Delivery {
  const { updatedAt: instant, timestampEarlier = 0, providerId, unknownMembers, otherSpelling, ofOtherExperience } = rewrite;
  const updatedAt = instant === undefined ? body.data.updatedAt : writeInstant(instant, baseMs);
  const addUnknownMembers = (place: typeof unknownMembers) => (unknownMembers === place ? UNKNOWN_MEMBERS : {});
  const scope = {
    ...body.scope,
    ...(ofOtherExperience && { experienceId: hashToUuid(`experience ${ofOtherExperience} ${webhookId}`) }),
    ...addUnknownMembers('scope'),
  };
  const data = { ...body.data, ...(providerId !== undefined && { providerId }), updatedAt, ...addUnknownMembers('data') };
  const timestamp = new Date(Date.parse(body.timestamp) - timestampEarlier * 1000).toISOString();
  const event = { ...body, ...(timestampEarlier > 0 && { timestamp }), scope, data, ...addUnknownMembers('envelope') };
  return {
    webhookId: ofOtherExperience ? hashToUuid(`event ${ofOtherExperience} ${webhookId}`) : webhookId,
    body: otherSpelling ? JSON.stringify(reverseMembers(event), undefined, 1) : JSON.stringify(event),
    updatedAt,
    ...(otherSpelling && { otherHeaders: true }),
  };
}

const UNKNOWN_MEMBERS = { addedLater: { version: 2, notes: ['a member', 'that the specification does not list'] } };

function writeInstant({ seconds, digits = 3, zone = 'Z' }: FormattedInstant, baseMs: number): string {
  const micros = Math.round(seconds * 1e6);
  const whole = new Date(baseMs + Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  const fraction = String(micros % 1e6)
    .padStart(6, '0')
    .slice(0, digits);
  return `${whole}${fraction === '' ? '' : `.${fraction}`}${zone}`;
}

function reverseMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reverseMembers(member)]),
  );
}

/** Returns a version 8 UUID. */
function hashToUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
