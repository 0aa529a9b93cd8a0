// What a careful client never sends, and a server has to survive.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { pooled } from './values.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** JSON that JSON.stringify does not write. `"~json.3~"` stands for one of these. */
export const RAW_JSON: readonly string[] = [
  ...'null true 0 -0 1.5 -1 1e300 1e400 -1e-400 9007199254740993 123456789012345678901234567890 [] {} [null] {"a":1} {"a":1,"a":2}'.split(
    ' ',
  ),
  ...String.raw`"\u0000" "\ud800" "\udc00x" {"__proto__":{"x":1}} {"constructor":{"prototype":{}}} {"toString":1}`.split(' '),
  ...[nested(50), nested(5_000), `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`, `"${'a'.repeat(50_000)}"`],
];

/** Strings that programs trip over: NUL, lone surrogates, names of prototypes, almost numbers and UUIDs, digits of other scripts. */
const TRAPS = [
  ...['', ' ', '\0', 'a\0b', '\ud800', 'x\udfff', '\ufeff', '\u202etxt', 'ACTIVE\n', "' OR 1=1 --", '9'.repeat(400), 'a'.repeat(5_000)],
  ...'💥 İı __proto__ constructor toString null undefined NaN true [] {} -0 -1 1.0 1e1 0x10 ٣ % %00 %ZZ .. / \\ " {{7*7}} 1,000 1s1s'.split(
    ' ',
  ),
  ...'<script>alert(1)</script> +1 +0123456789 +١٢٠٦٥٥٥٠١٠٠ +999999999999999 2026-02-30T00:00:00.000Z +275760-09-13T00:00:00.000Z'.split(
    ' ',
  ),
  ...'ffffffff-ffff-ffff-ffff-ffffffffffff urn:uuid:01900000-0000-7000-8000-000000000000'.split(' '),
];

export const hostile: Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TRAPS) },
  { weight: 3, arbitrary: fc.nat(RAW_JSON.length - 1).map((index) => `~json.${index}~`) },
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('users', 'accounts', 'assignments', 'subscriptions', 'deliveries').chain(pooled),
);

/** Changes a part of a request. */
export type Change = (text: string) => string;
export const unchanged: Change = (text) => text;

export const METHODS = 'GET POST PUT DELETE PATCH HEAD OPTIONS TRACE PROPFIND QUERY'.split(' ');

/** For each word a change that appends it. */
const append = (words: string) => words.split(' ').map<Change>((word) => (text) => text + word);

export const PATHS: readonly Change[] = [
  ...append('%00 %ZZ % %C0%80 %ED%A0%80 %FF %2F %2e%2e ..; \xe9 "<> \\ / /more # %0d%0aX-Odd:1'),
  (path) => path.toUpperCase(),
  (path) => path.replace('/', '//'),
  (path) => path.replace('e', '%65'),
  (path) => `http://evil.example${path}`,
  (path) => path.slice(1),
];

export const QUERIES: readonly Change[] = [
  ...append(`%ZZ=% = &&& a=%C0 # x[]=1 x[__proto__]=1 __proto__=1 \xe9 x=${'x'.repeat(20_000)} ${'&'.repeat(500)}`).map<Change>(
    (change) => (query) => change(query === '' ? '?' : `${query}&`),
  ),
  (query) => query.replaceAll('=', '=%00'),
  (query) => query + query.replace('?', '&'),
];

const NO_BODIES = `{ } [ " null true 7 "text" [] [{}] {} {}} {'a':1} {"a":1,} NaN /**/{} <xml/> a=1&b=2 {"__proto__":null} %ZZ=% é \0 \ud800`;
export const BODIES: readonly Change[] = [
  ...[...NO_BODIES.split(' '), ''].map<Change>((body) => () => body),
  ...['[', '{"a":'].map<Change>((body) => () => body.repeat(5_000)),
  (body) => body.slice(0, -1),
  (body) => `\ufeff${body}`,
  (body) => body + body,
  (body) => body.replace('{', '{"":0,"":1,'),
];

export const TYPES = [
  ...['text/plain', 'application/xml', 'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', '\xe9', ';', '*/*'],
  ...[
    'application/problem+json',
    'application/json;;;',
    'application/json, text/plain',
    'APPLICATION/JSON',
    'application/json; charset="utf-8"',
  ],
  ...['utf-16', 'latin1', 'zebra', ''].map((charset) => `application/json; charset=${charset}`),
];

export type Encoding = readonly [name: string, encode: (bytes: Buffer) => Buffer];
const COMPRESSIONS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
export const ENCODINGS: readonly Encoding[] = [
  ...Object.entries(COMPRESSIONS).flatMap<Encoding>(([name, compress]) => [
    [name, compress],
    [name, (bytes) => bytes],
    [name, (bytes) => compress(bytes).subarray(0, -3)],
    [name, (bytes) => Buffer.concat([compress(bytes), bytes])],
    [name, () => compress(Buffer.alloc(3_000_000, ' '))],
  ]),
  ...['', 'identity', 'zebra', 'gzip, gzip', 'GZIP'].map<Encoding>((name) => [name, (bytes) => bytes]),
  ['identity', (bytes) => Buffer.from(bytes.toString(), 'utf16le')],
  ['identity', (bytes) => Buffer.concat([bytes, Buffer.from([0xff, 0xfe])])],
];

const TOKEN = '~tokens.0~';
/** A line for each set of headers. */
const HEADER_LINES = `Authorization: Bearer
Authorization: ${TOKEN}
Authorization: BEARER\t ${TOKEN} 
Authorization: Bearer ${TOKEN}|Authorization: Bearer ${TOKEN}
Authorization: Basic Og==
Authorization: Bearer \xe9\xff
Authorization: Bearer bnVsbA.bnVsbA.AAAA
Authorization: Bearer ${'a'.repeat(9_000)}
Accept: image/png;q=1, */*;q=0
Accept-Encoding: gzip, br, zebra
traceparent: <script>
Origin: https://evil.example
Origin: https://a.example|Access-Control-Request-Method: DELETE|Access-Control-Request-Headers: authorization, __proto__
Sec-Fetch-Site: cross-site
Host: evil.example
Host: [::1]
Expect: 200-ok, 100-continue
Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|Sec-WebSocket-Version: 13
Range: bytes=0-1
X-HTTP-Method-Override: DELETE
X-Forwarded-Host: evil.example|X-Forwarded-Proto: https|Forwarded: for="_"
Cookie: __proto__=1; a=\xe9
Last-Event-ID: x
__proto__: 1
X-Odd: \xe9\xff\t
X-Long: ${'a'.repeat(8_000)}
X-Too-Long: ${'a'.repeat(17_000)}`;

export type Header = readonly [name: string, value: string];
export const HEADERS = HEADER_LINES.split('\n').map((line) =>
  line.split('|').map((text): Header => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 2)]),
);
