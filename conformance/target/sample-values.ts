import { randomUUID } from 'node:crypto';
import type { TargetType } from './capabilities-of-events.ts';

// Invalid under every reading of the specification: a number with letters, not one without a plus; not a UUID at all, not one in capitals.

export const MALFORMED_UUID = 'not-a-uuid';
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
