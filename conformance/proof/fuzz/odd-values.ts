// Values that a correct client never sends, but to which a server must not respond with a 5xx.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import {
  createHostilePageSizes,
  HOSTILE_NUMBERS,
  HOSTILE_STATES,
  HOSTILE_TARGET_TYPES,
  HOSTILE_UUIDS,
} from '../../../src/refusals/hostile-values.ts';
import { HOSTILE_CURSORS, HOSTILE_NATIVE_IDS, HOSTILE_TOKENS, UNKNOWN_NATIVE_IDS } from '../../../src/refusals/opaque-values.ts';
import { UNICODE_NAMES } from '../../../src/refusals/unicode-names.ts';

/** Invalid values of each type, and valid names. */
const VALUE_TABLES: readonly (readonly { readonly value: unknown }[])[] = [
  ...[HOSTILE_UUIDS, HOSTILE_NUMBERS, createHostilePageSizes(200), HOSTILE_TARGET_TYPES, HOSTILE_STATES],
  ...[HOSTILE_CURSORS, HOSTILE_NATIVE_IDS, HOSTILE_TOKENS, UNICODE_NAMES],
];
export const TYPED_TEXTS = VALUE_TABLES.flat().flatMap(({ value }) => (typeof value === 'string' ? value : []));

const createNestedArray = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** JSON texts that JSON.stringify never produces. */
export const RAW_JSON: readonly string[] = [
  ...'[] {} [null] {"__proto__":{"x":1}} {"a":1,"a":2} {"":0} -0 1.0 1e1 1e400 9007199254740993 "\\ud800"'.split(' '),
  ...[createNestedArray(50), createNestedArray(5_000), `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`],
];

export const ODD_TEXTS: readonly string[] = [
  ...UNKNOWN_NATIVE_IDS,
  ...['', ' ', '\0', '\n', '\ud800', '\udfff', '\ufeff', '\u202etxt', "' OR 1=1 --", '9'.repeat(400), 'a'.repeat(20_000), '&'.repeat(500)],
  ...'💥 İı __proto__ " \\ , : { } /**/ +1 ffffffff-ffff-ffff-ffff-ffffffffffff'.split(' '),
  ...'2026-02-30T00:00:00.000Z +275760-09-13T00:00:00.000Z http://evil.example / // .. ;'.split(' '),
  ...'%00 %ZZ % %C0%80 %ED%A0%80 %FF %2F %2e%2e %0d%0aX-Odd:1 # ? = & && x[]=1 __proto__=1 \xe9 <script>'.split(' '),
  ...[...RAW_JSON, '{"a":'.repeat(5_000)],
];

export const METHODS = 'GET POST PUT DELETE PATCH HEAD OPTIONS TRACE PROPFIND QUERY'.split(' ');

export const CONTENT_TYPES = [
  ...['', ';;;', ', text/plain', '; charset=utf-16', '; charset='].map((end) => `application/json${end}`),
  ...'text/plain application/xml application/x-www-form-urlencoded multipart/form-data \xe9 ; */*'.split(' '),
];

export type Encoding = readonly [name: string, encode: (bytes: Buffer) => Buffer];
const COMPRESSIONS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
/** Some functions break the body deliberately. */
export const ENCODINGS: readonly Encoding[] = [
  ...Object.entries(COMPRESSIONS).flatMap<Encoding>(([name, compress]) => [
    [name, compress],
    [name, (bytes) => bytes],
    [name, (bytes) => compress(bytes).subarray(0, -3)],
    [name, () => compress(Buffer.alloc(3_000_000, ' '))],
  ]),
  ...['', 'identity', 'zebra', 'gzip, gzip'].map<Encoding>((name) => [name, (bytes) => bytes]),
];

export type Header = readonly [name: string, value: string];

/** Each line in `lines` is one combination, in which `|` separates the headers. */
export function createOddHeaders(token: string): readonly (readonly Header[])[] {
  const lines = `Authorization: Bearer
Authorization: ${token}
Authorization: BEARER\t ${token} 
Authorization: Bearer ${token}|Authorization: Bearer ${token}
Authorization: Bearer \xe9\xff
Authorization: Bearer ${'a'.repeat(9_000)}
Accept: image/png;q=1, */*;q=0
traceparent: <script>
Origin: https://a.example|Access-Control-Request-Method: DELETE|Access-Control-Request-Headers: authorization, __proto__
Sec-Fetch-Site: cross-site
Host: evil.example
Expect: 200-ok, 100-continue
Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|Sec-WebSocket-Version: 13
X-HTTP-Method-Override: DELETE
X-Forwarded-Host: evil.example|X-Forwarded-Proto: https|Forwarded: for="_"
Cookie: __proto__=1; a=\xe9
__proto__: 1
X-Too-Long: ${'a'.repeat(17_000)}`.split('\n');
  return lines.map((line) => line.split('|').map((text): Header => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 2)]));
}
