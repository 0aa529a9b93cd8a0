// Values that are invalid under every interpretation of the specification (unlike upper-case UUIDs or telephone numbers without a plus),
// and well-formed values that belong to no entity.

export type TargetType = 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
export const TARGET_TYPES: readonly TargetType[] = ['PHONE_NUMBER', 'USER', 'ACCOUNT'];

export const UNKNOWN_UUID = '00000000-0000-7000-8000-000000000000';
/** Reserved for fiction. */
export const UNKNOWN_NUMBER = '+12015550187';
export const UNKNOWN_TARGETS: Readonly<Record<TargetType, string>> = {
  PHONE_NUMBER: UNKNOWN_NUMBER,
  USER: UNKNOWN_UUID,
  ACCOUNT: UNKNOWN_UUID,
};

/** `accepts` matches what a server would accept that validates imprecisely. Absent: a server that validates at all refuses the value. */
export interface HostileValue {
  readonly value: string;
  readonly flaw: string;
  readonly accepts?: RegExp;
}

export const HOSTILE_UUIDS: readonly HostileValue[] = [
  { value: 'not-a-uuid', flaw: 'is a word' },
  { value: 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz', flaw: 'has 36 characters', accepts: /^.{36}$/ },
  { value: `${UNKNOWN_UUID}-and-more`, flaw: 'contains a UUID', accepts: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i },
];

export const HOSTILE_NUMBERS: readonly HostileValue[] = [
  { value: '+1206CALLNOW', flaw: 'contains letters', accepts: /^\+\d+[A-Z]/ },
  { value: '+012065550187', flaw: 'begins with 0', accepts: /^\+0\d/ },
  { value: '+1206555018712345', flaw: 'has more than 15 digits', accepts: /^\+\d{16,}$/ },
  { value: '+', flaw: 'is only a plus sign', accepts: /^\+$/ },
];

const OTHER_FORMAT = 'has the format of a different type';
const HOSTILE_UUID_TARGETS = [...HOSTILE_UUIDS, { value: UNKNOWN_NUMBER, flaw: OTHER_FORMAT, accepts: /^\+[1-9]\d{1,14}$/ }];
export const HOSTILE_TARGETS: Readonly<Record<TargetType, readonly HostileValue[]>> = {
  PHONE_NUMBER: [...HOSTILE_NUMBERS, { value: UNKNOWN_UUID, flaw: OTHER_FORMAT, accepts: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i }],
  USER: HOSTILE_UUID_TARGETS,
  ACCOUNT: HOSTILE_UUID_TARGETS,
};

export const HOSTILE_INTEGERS: readonly HostileValue[] = [
  { value: 'ten', flaw: 'is not a number', accepts: /^\D*$/ },
  { value: '1.5', flaw: 'is a fraction', accepts: /^\d*\.\d+$/ },
  { value: '10x', flaw: 'begins with digits', accepts: /^\d+[^\d.]/ },
];

export const createHostilePageSizes = (maximum: number): readonly HostileValue[] => [
  ...HOSTILE_INTEGERS,
  { value: '0', flaw: 'is 0', accepts: /^0+$/ },
  { value: String(maximum + 1), flaw: 'is too large', accepts: /^[1-9]\d{2,8}$/ },
  { value: '-1', flaw: 'is negative', accepts: /^-\d+$/ },
  { value: '4294967297', flaw: 'exceeds 32 bits', accepts: /^\d{10,}$/ },
];

/** These cursors contain no position, so every server must refuse them. */
export const HOSTILE_CURSORS: readonly HostileValue[] = [
  { value: '~ no cursor ~', flaw: 'not encoded' },
  { value: Buffer.from('no-cursor').toString('base64url'), flaw: 'an encoded word' },
  { value: Buffer.from('{}').toString('base64url'), flaw: 'an encoded empty object' },
];

/** A Base62 id and a legacy numeric id that belong to no user. */
export const UNKNOWN_NATIVE_IDS = ['Nobody5b3c9d1e7f204a68b1c2d3e4f5a6b7c8', '9'.repeat(30)];
/** A user id that is neither Base62 nor legacy numeric nor a UUID. */
export const UNSUPPORTED_NATIVE_ID = 'other~infrastructure~17';

export const INVALID_TOKEN = 'not-a-token';
export const UNLISTED_TARGET_TYPE = 'FAX';
export const UNLISTED_STATE = 'SLEEPING';
export const UNFINISHED_JSON = '{"unfinished":';
