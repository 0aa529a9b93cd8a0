import { createHash } from 'node:crypto';
import type { Rewrite, SpelledInstant } from './scenario.ts';
import type { Published } from './stage.ts';

/** A delivery as text, before its headers are added. */
export interface Delivery {
  readonly webhookId: string;
  readonly body: string;
  /** `data.updatedAt`, as it is written in the body. */
  readonly updatedAt: string;
}

/** Writes a published event as the body of a delivery. @param baseMs the base instant of the scenario */
export function writeDelivery({ webhookId, body }: Published, rewrite: Rewrite, baseMs: number): Delivery {
  const { updatedAt: instant, timestampEarlier = 0, providerId, unknownMembers, otherSpelling, ofOtherExperience } = rewrite;
  const updatedAt = instant === undefined ? body.data.updatedAt : spell(instant, baseMs);
  const more = (place: typeof unknownMembers) => (unknownMembers === place ? UNKNOWN : {});
  const scope = { ...body.scope, ...(ofOtherExperience && { experienceId: uuidFrom(`experience ${webhookId}`) }), ...more('scope') };
  const data = { ...body.data, ...(providerId !== undefined && { providerId }), updatedAt, ...more('data') };
  const timestamp = new Date(Date.parse(body.timestamp) - timestampEarlier * 1000).toISOString();
  const event = { ...body, ...(timestampEarlier > 0 && { timestamp }), scope, data, ...more('envelope') };
  return {
    webhookId: ofOtherExperience ? uuidFrom(`event ${webhookId}`) : webhookId,
    body: otherSpelling ? JSON.stringify(reversed(event), undefined, 1) : JSON.stringify(event),
    updatedAt,
  };
}

const UNKNOWN = { addedLater: { version: 2, notes: ['a member', 'that the specification does not list'] } };

/** Writes an instant in ISO 8601, with exactly the requested number of fraction digits. */
function spell({ seconds, digits = 3, zone = 'Z' }: SpelledInstant, baseMs: number): string {
  const micros = Math.round(seconds * 1e6);
  const whole = new Date(baseMs + Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  const fraction = String(micros % 1e6)
    .padStart(6, '0')
    .slice(0, digits);
  return `${whole}${fraction === '' ? '' : `.${fraction}`}${zone}`;
}

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

/** Returns a UUID (version 8) that is always the same for the same text. */
function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
