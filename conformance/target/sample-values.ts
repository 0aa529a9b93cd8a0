import { randomUUID } from 'node:crypto';
import type { TargetType } from './capabilities-of-events.ts';

// What no reading of the specification takes for right: a number with letters, not one without its plus; a plainly wrong UUID, not one in capitals.

export const MALFORMED_UUID = 'not-a-uuid';
export const UNLISTED_TARGET_TYPE = 'DEVICE';

export const MALFORMED_TARGETS: Readonly<Record<TargetType, string>> = {
  PHONE_NUMBER: '+1206CALLNOW',
  USER: MALFORMED_UUID,
  ACCOUNT: MALFORMED_UUID,
};

/** Well formed, and found nowhere: the country code +999 is not assigned. */
export const UNKNOWN_TARGETS: Readonly<Record<TargetType, () => string>> = {
  PHONE_NUMBER: () => '+99912345678901',
  USER: randomUUID,
  ACCOUNT: randomUUID,
};
