import type { TargetType } from './capabilities.ts';

// Well-formed values that belong to no entity. The telephone number is reserved for fiction.

export const UNKNOWN_UUID = '5b3c9d1e-7f20-4a68-b1c2-d3e4f5a6b7c8';
const UNKNOWN_NUMBER = '+12015550187';
export const UNKNOWN_TARGETS: Readonly<Record<TargetType, string>> = {
  PHONE_NUMBER: UNKNOWN_NUMBER,
  USER: UNKNOWN_UUID,
  ACCOUNT: UNKNOWN_UUID,
};

// Values that are invalid under every interpretation of the specification, unlike upper-case UUIDs or telephone numbers without a plus.

/** A number with letters, one with a zero after the plus, one with 16 digits, and one without digits. */
export const MALFORMED_NUMBERS = ['+1206CALLNOW', '+012065550187', '+1206555018712345', '+'] as const;
export const MALFORMED_UUIDS = ['not-a-uuid', 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz', `${UNKNOWN_UUID}-and-more`] as const;
export const [MALFORMED_NUMBER] = MALFORMED_NUMBERS;
export const [MALFORMED_UUID] = MALFORMED_UUIDS;
/** Maps a targetType to invalid values: malformed, or in a different targetType's format. */
export const INVALID_TARGET_VALUES: Readonly<Record<TargetType, readonly string[]>> = {
  PHONE_NUMBER: [...MALFORMED_NUMBERS, UNKNOWN_UUID],
  USER: [...MALFORMED_UUIDS, UNKNOWN_NUMBER],
  ACCOUNT: [...MALFORMED_UUIDS, UNKNOWN_NUMBER],
};
export const UNLISTED_TARGET_TYPE = 'DEVICE';
