// What no client sends, but a server has to survive: paths, queries, bodies, encodings and headers.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

export const METHODS = 'GET POST PUT DELETE PATCH HEAD OPTIONS TRACE PROPFIND QUERY'.split(' ');

/** Changes a part of a request. */
export type Text = (text: string) => string;
export const same: Text = (text) => text;

const PATH_ENDS = '%00 %ZZ % %C0%80 %ED%A0%80 %FF %2F %2e%2e ..; \xe9 "<> \\ / /more # %0d%0aX-Odd:1'.split(' ');
export const PATHS: readonly Text[] = [
  ...PATH_ENDS.map<Text>((end) => (path) => path + end),
  (path) => path.toUpperCase(),
  (path) => path.replace('/', '//'),
  (path) => `/experience${path}`,
  (path) => path.replace(/\/[^/]*$/, ''),
  (path) => path.replace('e', '%65'),
  (path) => `/.${path}`,
  (path) => `http://localhost${path}`,
  (path) => `http://evil.example${path}`,
  (path) => path.slice(1),
];

const LONG = 'x'.repeat(20_000);
const QUERY_ENDS = `%ZZ=% = &&& a=%C0 # x[]=1 x[__proto__]=1 __proto__=1 \xe9 x=${LONG} ${'&'.repeat(500)}`.split(' ');
export const QUERIES: readonly Text[] = [
  ...QUERY_ENDS.map<Text>((end) => (query) => `${query}${query === '' ? '?' : '&'}${end}`),
  (query) => query.replaceAll('=', '=%00'),
  (query) => query + query.replace('?', '&'),
  (query) => query.replace('?', '??'),
];

const NO_BODIES = `{ } [ " null true 7 "text" [] [{}] {} {}} {,} {'a':1} {"a":1,} {a:1} NaN /**/{} <xml/> a=1&b=2 {"__proto__":null} %ZZ=% é`;
export const BODIES: readonly Text[] = [
  ...[...NO_BODIES.split(' '), '', ' ', '\0', '{} {}', '['.repeat(5_000), '{"a":'.repeat(5_000), '\ud800'].map<Text>((body) => () => body),
  (body) => body.slice(0, -1),
  (body) => `\ufeff${body}`,
  (body) => body + body,
  (body) => body.replace('{', '{"":0,"":1,'),
];

const TYPE_LINE = `text/plain | text/html | application/xml | application/json | application/x-www-form-urlencoded | multipart/form-data | \xe9
 | application/problem+json | application/json;;; | application/json, text/plain | APPLICATION/JSON | application/json; charset=utf-16 | */* | ;
 | application/json; charset=latin1 | application/json; charset=zebra | application/json; charset="utf-8" | application/json; boundary=x; charset=`;
export const TYPES = TYPE_LINE.split(/\s+\|\s+/);

export type Encoding = readonly [name: string, encode: (bytes: Buffer) => Buffer];
const unchanged = (bytes: Buffer) => bytes;
const COMPRESSIONS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
export const ENCODINGS: readonly Encoding[] = [
  ...Object.entries(COMPRESSIONS).flatMap<Encoding>(([name, compress]) => [
    [name, compress],
    [name, unchanged],
    [name, (bytes) => compress(bytes).subarray(0, -3)],
    [name, (bytes) => Buffer.concat([compress(bytes), bytes])],
    [name, () => compress(Buffer.alloc(3_000_000, ' '))],
  ]),
  ...['', 'identity', 'zebra', 'gzip, gzip', 'GZIP'].map<Encoding>((name) => [name, unchanged]),
  ['identity', (bytes) => Buffer.from(bytes.toString(), 'utf16le')],
  ['identity', (bytes) => Buffer.concat([bytes, Buffer.from([0xff, 0xfe])])],
];

const TOKEN = '~tokens.0~';
const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
/** A line for each set of headers. */
const HEADER_LINES = `Authorization: Bearer
Authorization: ${TOKEN}
Authorization: BEARER\t ${TOKEN} 
Authorization: Bearer ${TOKEN} more
Authorization: Bearer "${TOKEN}"
Authorization: Bearer ${TOKEN}=
Authorization: Bearer ${TOKEN}|Authorization: Bearer ${TOKEN}
Authorization: Basic ${TOKEN}
Authorization: Basic Og==
Authorization: Bearer \xe9\xff
Authorization: Bearer bnVsbA.bnVsbA.AAAA
Authorization: Bearer ${'a'.repeat(9_000)}
Accept: text/html
Accept: image/png;q=1, */*;q=0
Accept: ;;;
Accept-Encoding: gzip, br, zebra
traceparent: ${TRACE}
traceparent: 00-00000000000000000000000000000000-00f067aa0ba902b7-01
traceparent: <script>
traceparent: ${TRACE}|traceparent: ${TRACE.replace('4b', '5b')}
Origin: https://evil.example
Origin: null
Origin: https://a.example|Access-Control-Request-Method: DELETE|Access-Control-Request-Headers: authorization, __proto__
Sec-Fetch-Site: cross-site
Host: evil.example
Host: localhost:1
Host: [::1]
Host: a b
Expect: x
Expect: 200-ok, 100-continue
Connection: Upgrade|Upgrade: h2c
Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|Sec-WebSocket-Version: 13
Range: bytes=0-1
If-None-Match: *
X-HTTP-Method-Override: DELETE
X-Forwarded-Host: evil.example|X-Forwarded-Proto: https|Forwarded: for="_"
Cookie: __proto__=1; a=\xe9
Last-Event-ID: x
__proto__: 1
constructor: 1
X-Odd: \xe9\xff\t
X-Long: ${'a'.repeat(8_000)}
X-Too-Long: ${'a'.repeat(17_000)}`;

export type Header = readonly [name: string, value: string];
const headerOf = (text: string): Header => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 2)];
export const HEADERS = HEADER_LINES.split('\n').map((line) => line.split('|').map(headerOf));
