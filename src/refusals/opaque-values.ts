// Invalid values whose format the specification does not define: cursors, native ids and tokens.
import { encode, type HostileValue, list, withOtherDigits } from './hostile-value.ts';
import { UNKNOWN_NUMBER, UNKNOWN_UUID } from './hostile-values.ts';

/** These cursors are bound to no account, so every server must refuse them. */
export const HOSTILE_CURSORS: readonly HostileValue[] = [
  ...list(
    'is not encoded',
    '~ no cursor ~',
    'x',
    'null',
    'undefined',
    'true',
    '[object Object]',
    '{}',
    '[]',
    '\u{1f4a5}',
    '\u0661',
    '*',
    '?',
    '%',
  ),
  ...list('is a number', '0', '1', '-1', '100', '1.5', '1e9', '9'.repeat(30)),
  ...list('is an id', UNKNOWN_UUID, '3f2b8c1e9d474a6b8c257e1f90ab34cd'),
  ...list('is a time', '2026-01-01T00:00:00Z', '1767225600'),
  ...list('is an encoded word', ...['no-cursor', '', ' ', 'null', UNKNOWN_UUID, '\0\0\0\0'].map(encode).filter((text) => text !== '')),
  ...list(
    'is encoded JSON',
    ...[{}, [], 0, 100, true, { cursor: null }, { offset: 0 }, { page: 2 }, { id: UNKNOWN_UUID }, [1, 'x']].map(encode),
  ),
  ...list('is damaged Base64', '=', '====', 'e30=x', 'e30 e30', '!!!!', '-_-_-_-_', 'A', `${encode({})}.`),
  ...list('is a token', `${encode({ alg: 'none' })}.${encode({})}.`, `v1.${encode({})}.${encode('x')}`),
  ...list('is long', 'A'.repeat(1_000), encode('x'.repeat(750))),
  ...list('is the name of a member of every object', '__proto__', 'constructor'),
];

/** A Base62 id and a legacy numeric id that belong to no user. */
export const UNKNOWN_NATIVE_IDS = ['Nobody5b3c9d1e7f204a68b1c2d3e4f5a6b7c8', '9'.repeat(30)];
/** A user id that is neither Base62 nor legacy numeric nor a UUID. */
export const UNSUPPORTED_NATIVE_ID = 'other~infrastructure~17';

/** Ids in no supported style. A gateway may refuse paths with other characters, such as a slash or a semicolon. */
export const HOSTILE_NATIVE_IDS: readonly HostileValue[] = [
  ...list('is in another style', UNSUPPORTED_NATIVE_ID, '~', 'user@example.com', 'sip:ada@example.com', 'tenant:17', UNKNOWN_NUMBER, '*'),
  ...[...'~!$()*,:=@+.'].flatMap((sign) =>
    list(`contains ${sign}`, `nobody${sign}17`, `${sign}${UNKNOWN_NATIVE_IDS[0]}`, `${'9'.repeat(30)}${sign}`),
  ),
  ...list(
    'contains letters of another script',
    'n\u00f6body',
    '\u041d\u0438\u043a\u0442\u043e',
    '\u7121\u540d',
    '\u{1f47b}',
    'nob\u043edy',
  ),
  ...withOtherDigits('9'.repeat(30)),
];

export const INVALID_TOKEN = 'not-a-token';
const UNSIGNED = encode({ sub: 'x', exp: 4102444800, scope: 'users:manage' });
/** Values that the grammar of a bearer token permits (RFC 6750), so that a server refuses the token and not the header. */
export const HOSTILE_TOKENS: readonly HostileValue[] = [
  ...list(
    'is a word',
    INVALID_TOKEN,
    'x',
    'null',
    'undefined',
    'true',
    'admin',
    'full',
    'test',
    'Bearer',
    'token',
    '__proto__',
    'constructor',
  ),
  ...list('is a number', '0', '1', '-1', '9'.repeat(40)),
  ...list('is only punctuation', '.', '..', '...', '-', '_', '~', '/', '+'),
  ...list('is an id', UNKNOWN_UUID, UNKNOWN_UUID.replaceAll('-', '')),
  ...['none', 'None', 'NONE', 'nOnE', 'HS256', 'RS256', 'ES256', 'EdDSA', ''].flatMap((alg) => [
    ...list('is not signed', `${encode({ alg, typ: 'JWT' })}.${UNSIGNED}.`),
    ...list('has a wrong signature', `${encode({ alg, typ: 'at+jwt', kid: 'x' })}.${UNSIGNED}.${encode('x'.repeat(64))}`),
  ]),
  ...list(
    'is not a complete JWT',
    `${encode({ alg: 'none' })}.${UNSIGNED}`,
    `.${UNSIGNED}.`,
    'e30.e30.e30',
    'e30..',
    '..e30',
    `${UNSIGNED}.`.repeat(4),
  ),
  ...list('is long', 'A'.repeat(1_000)),
];
