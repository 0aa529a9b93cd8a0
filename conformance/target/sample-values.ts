import { randomUUID } from 'node:crypto';
import type { TargetType } from './capabilities-of-events.ts';

// Invalid under every reading of the specification: a number with letters, not one without a plus; not a UUID at all, not one in capitals.

export const MALFORMED_UUID = 'not-a-uuid';
/** A word, letters beyond f, and a UUID with a suffix. */
export const MALFORMED_UUIDS = [
  MALFORMED_UUID,
  'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz',
  '5b3c9d1e-7f20-4a68-b1c2-d3e4f5a6b7c8-and-more',
] as const;
/** The id of nothing. */
export const UNKNOWN_UUID = '5b3c9d1e-7f20-4a68-b1c2-d3e4f5a6b7c8';
export const UNLISTED_TARGET_TYPE = 'DEVICE';

export const MALFORMED_TARGETS: Readonly<Record<TargetType, string>> = {
  PHONE_NUMBER: '+1206CALLNOW',
  USER: MALFORMED_UUID,
  ACCOUNT: MALFORMED_UUID,
};

/** Well formed and nonexistent: the country code +999 is not assigned. */
export const UNKNOWN_TARGETS: Readonly<Record<TargetType, () => string>> = {
  PHONE_NUMBER: () => '+99912345678901',
  USER: randomUUID,
  ACCOUNT: randomUUID,
};
