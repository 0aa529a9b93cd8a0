// Values that are invalid under every interpretation of the specification, and well-formed values that belong to no entity. For example,
// upper-case UUIDs, `urn:uuid:` and telephone numbers without a plus sign are missing, because a server may accept them.

import { type HostileValue, list, withOtherDigits, withSpaces } from './hostile-value.ts';

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

const replaceAt = (text: string, at: number, by: string, length = 1) => text.slice(0, at) + by + text.slice(at + length);

export const VALID_UUID = '3f2b8c1e-9d47-4a6b-8c25-7e1f90ab34cd';
const PLAIN_UUID = VALID_UUID.replaceAll('-', '');
const HYPHENS = [8, 13, 18, 23];

export const HOSTILE_UUIDS: readonly HostileValue[] = [
  { value: 'not-a-uuid', flaw: 'is a word' },
  { value: 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz', flaw: 'has 36 characters', accepts: /^.{36}$/ },
  { value: `${UNKNOWN_UUID}-and-more`, flaw: 'contains a UUID', accepts: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i },
  ...list('is a word', 'null', 'undefined', 'true', '*', '[object Object]'),
  ...list('is a number', '0', '-1', '42', '8.5'),
  ...list('has short groups', '1-1-1-1-1', '3f2b8c1e-9d47-4a6b-8c25', VALID_UUID.slice(1), VALID_UUID.slice(0, -1)),
  ...list('has a long group', `${VALID_UUID}0`, `0${VALID_UUID}`, replaceAt(VALID_UUID, 13, 'a-')),
  ...list('has no hyphens', PLAIN_UUID, `0x${PLAIN_UUID}`),
  ...list('is in brackets', `{${VALID_UUID}}`, `(${VALID_UUID})`, `[${VALID_UUID}]`, `<${VALID_UUID}>`, `{${PLAIN_UUID}}`),
  ...list('is in quotation marks', `"${VALID_UUID}"`, `'${VALID_UUID}'`),
  ...list('is a list', `${VALID_UUID},${UNKNOWN_UUID}`, `${VALID_UUID};`, `["${VALID_UUID}"]`),
  ...list('has a prefix', `uuid:${VALID_UUID}`, `id-${VALID_UUID}`),
  ...list(
    'has another encoding',
    Buffer.from(PLAIN_UUID, 'hex').toString('base64url'),
    '01HZX3V9K2QJ8W5T7R4N6M1PBC',
    '665f1d2e8b3c4a5d6e7f8091',
  ),
  ...HYPHENS.flatMap((at) => [
    ...list('lacks a hyphen', replaceAt(VALID_UUID, at, '')),
    ...list('has another separator', ...['_', ' ', '\u2013'].map((separator) => replaceAt(VALID_UUID, at, separator))),
    ...list('contains a letter that is not hexadecimal', replaceAt(VALID_UUID, at + 1, 'g')),
  ]),
  ...list('contains a letter of another script', replaceAt(VALID_UUID, 7, '\u0435'), replaceAt(VALID_UUID, 28, '\uff41')),
  ...withSpaces(VALID_UUID),
  ...withOtherDigits(VALID_UUID),
];

const ONLY_DIGITS = UNKNOWN_NUMBER.slice(1);
export const HOSTILE_NUMBERS: readonly HostileValue[] = [
  { value: '+1206CALLNOW', flaw: 'contains letters', accepts: /^\+\d+[A-Z]/ },
  { value: '+012065550187', flaw: 'begins with 0', accepts: /^\+0\d/ },
  { value: '+1206555018712345', flaw: 'has more than 15 digits', accepts: /^\+\d{16,}$/ },
  { value: '+', flaw: 'is only a plus sign', accepts: /^\+$/ },
  ...list('is a word', 'null', 'undefined', 'anonymous', '*', '#'),
  ...list('contains letters', '+1201555O187', '+1201555018l', '+abcdefghijk', '+0x2CC5A3B', '+1e10', `${UNKNOWN_NUMBER}x5`),
  ...list('begins with 0', '+0', '+00', `+0${ONLY_DIGITS}`, `+00${ONLY_DIGITS}`),
  ...list('has more than 15 digits', UNKNOWN_NUMBER + '0'.repeat(14), `+${'9'.repeat(30)}`, `+${'1'.repeat(300)}`),
  ...list(
    'has several signs',
    `+${UNKNOWN_NUMBER}`,
    `${UNKNOWN_NUMBER}+`,
    '+1201+5550187',
    `+-${ONLY_DIGITS}`,
    `-${ONLY_DIGITS}`,
    '++',
    '+-',
  ),
  ...list('has another plus sign', `\uff0b${ONLY_DIGITS}`, `\ufe62${ONLY_DIGITS}`, `\u207a${ONLY_DIGITS}`),
  ...['-', '.', '/', ',', '_', '\u2013'].flatMap((separator) =>
    list('contains separators', `+1${separator}2015550187`, ['+1', '201', '555', '0187'].join(separator), `${UNKNOWN_NUMBER}${separator}`),
  ),
  ...list('contains brackets', '+1(201)5550187', '+1 (201) 555-0187', `(${UNKNOWN_NUMBER})`, `<${UNKNOWN_NUMBER}>`, '+(1)2015550187'),
  ...list('has an extension', `${UNKNOWN_NUMBER};ext=5`, `${UNKNOWN_NUMBER}#5`, `${UNKNOWN_NUMBER}p5`),
  ...list('is a URI', `tel:${UNKNOWN_NUMBER}`, `sip:${UNKNOWN_NUMBER}@example.com`),
  ...list('is in quotation marks', `"${UNKNOWN_NUMBER}"`, `'${UNKNOWN_NUMBER}'`),
  ...list('is a list', `${UNKNOWN_NUMBER},+12015550188`, `["${UNKNOWN_NUMBER}"]`),
  ...withSpaces(UNKNOWN_NUMBER),
  ...withOtherDigits(UNKNOWN_NUMBER),
];

const HOSTILE_UUID_TARGETS: readonly HostileValue[] = [
  { value: UNKNOWN_NUMBER, flaw: 'has the format of a different type', accepts: /^\+[1-9]\d{1,14}$/ },
  ...HOSTILE_UUIDS,
];
export const HOSTILE_TARGETS: Readonly<Record<TargetType, readonly HostileValue[]>> = {
  PHONE_NUMBER: [
    { value: UNKNOWN_UUID, flaw: 'has the format of a different type', accepts: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i },
    ...HOSTILE_NUMBERS,
  ],
  USER: HOSTILE_UUID_TARGETS,
  ACCOUNT: HOSTILE_UUID_TARGETS,
};

export const HOSTILE_INTEGERS: readonly HostileValue[] = [
  { value: 'ten', flaw: 'is not a number', accepts: /^\D*$/ },
  { value: '1.5', flaw: 'is a fraction', accepts: /^\d*\.\d+$/ },
  { value: '10x', flaw: 'begins with digits', accepts: /^\d+[^\d.]/ },
  ...list('is empty', ''),
  ...list('is not a number', 'null', 'undefined', 'true', 'NaN', 'Infinity', 'all', '*', '[]', '{}', 'x10', '\u5341', '\u00bd', '\u2167'),
  ...list('is a fraction', '.5', '0.5', '10.5', '99.999', '1,5', '1/2'),
  ...list('has another notation', '0x10', '0b11', '0o17', '1e1', '1E1', '1e2', '+5', '1_0', '10n', '10L', '10%', '$10'),
  ...list('is an expression', '5+5', '--5', '5-', '10;', '10,20', '10 20', '1-10', '10&', '10#'),
  ...list('is in quotation marks', '"10"', "'10'", '[10]', '(10)'),
  ...withSpaces('10'),
  ...withOtherDigits('10'),
];

/** Also contains integers that are out of range. */
export const createHostilePageSizes = (maximum: number): readonly HostileValue[] => [
  { value: '0', flaw: 'is 0', accepts: /^0+$/ },
  { value: String(maximum + 1), flaw: 'is too large', accepts: /^[1-9]\d{2,8}$/ },
  { value: '-1', flaw: 'is negative', accepts: /^-\d+$/ },
  { value: '4294967297', flaw: 'exceeds 32 bits', accepts: /^\d{10,}$/ },
  ...HOSTILE_INTEGERS,
  ...list('is negative', '-10', '-2147483648', '-4294967286'),
  ...list('is too large', '1000', '65546', '2147483647', '2147483658', '18446744073709551626', '9'.repeat(400)),
];

const IN_BRACKETS = ['[]', '{}', '()', '<>', '""', "''"];
export const UNLISTED_TARGET_TYPE = 'FAX';
export const HOSTILE_TARGET_TYPES: readonly HostileValue[] = [
  ...list('is not listed', UNLISTED_TARGET_TYPE, 'GROUP', 'DEVICE', 'NUMBER', 'EXPERIENCE', 'ANY', 'ALL', '*', 'null', 'undefined', 'NONE'),
  ...list('is empty', ''),
  ...list('is a number', '0', '1', '2', '-1', 'true'),
  ...TARGET_TYPES.flatMap((type) => [
    ...list(
      'is in another letter case',
      type.toLowerCase(),
      type[0] + type.slice(1).toLowerCase(),
      type.slice(0, -1) + type.slice(-1).toLowerCase(),
    ),
    ...list('is a part of a value', type.slice(0, -1), `${type}S`, `${type}_ID`),
    ...list('has a prefix', `TargetType.${type}`, `TARGET_TYPE_${type}`),
    ...list('is surrounded by white space', ` ${type}`, `${type} `, `${type}\n`, `${type}\t`, `\u00a0${type}`, `${type}\u200b`),
    ...list('is surrounded by other characters', ...IN_BRACKETS.map(([open, close]) => open + type + close)),
    ...list('is a list', ...TARGET_TYPES.map((other) => `${type},${other}`)),
  ]),
  ...list('has another separator', 'PHONE-NUMBER', 'PHONE NUMBER', 'PHONENUMBER', 'PHONE__NUMBER', 'PhoneNumber'),
  ...list('contains letters of another script', '\uff35\uff33\uff25\uff32', 'U\u0405ER', 'USE\u211b', '\u0410CCOUNT', 'US\u0395R'),
];

/** JSON values that are no strings. */
export const HOSTILE_MEMBERS: readonly HostileValue<unknown>[] = [
  ...list<unknown>('is null', null),
  ...list('is a boolean', true, false),
  ...list('is a number', 0, 1, -1, 2, 7, 42, 1.5, -0.5, 1e21, 1e-9, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63), 1e308),
  ...list<unknown>('is an array', [], [null], [true], [0], [''], ['x'], ['x', 'y'], [[]], [{}], [[['x']]]),
  ...list('is an array of valid strings', [UNKNOWN_UUID], [UNKNOWN_NUMBER], [UNKNOWN_UUID, UNKNOWN_UUID], ['USER'], ['ACTIVE']),
  ...list<unknown>('is an object', {}, { '': '' }, { value: null }, { a: { b: [] } }, { length: 36 }, { toString: 'USER' }, { $ne: null }),
  ...list<unknown>('is an object with a valid string', { value: UNKNOWN_UUID }, { id: UNKNOWN_UUID }, { '0': 'U' }, { name: 'USER' }),
];

export const UNLISTED_STATE = 'SLEEPING';
/** Values that are neither a state nor, like `active`, a state in another letter case. */
export const HOSTILE_STATES: readonly HostileValue<unknown>[] = [
  ...list<unknown>('is not listed', UNLISTED_STATE, 'PENDING', 'DELETED', 'ENABLED', 'DISABLED', 'ON', 'OFF', 'ACTIVATED', 'NONE', 'null'),
  ...list('is empty', ''),
  ...['ACTIVE', 'INACTIVE'].flatMap((state) => [
    ...list('is a part of a value', state.slice(0, -1), `${state}D`, `NOT_${state}`),
    ...list('is surrounded by other characters', ...IN_BRACKETS.map(([open, close]) => open + state + close), `${state}\u200b`),
    ...list('contains a letter of another script', state.replace('A', '\u0410')),
  ]),
  ...list('is a list', 'ACTIVE,INACTIVE', 'ACTIVE INACTIVE'),
  ...HOSTILE_MEMBERS,
];

export const UNFINISHED_JSON = '{"unfinished":';
