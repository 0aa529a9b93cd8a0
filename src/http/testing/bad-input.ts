import { gzipSync, zstdCompressSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '../framing.ts';
import type { RawCase } from './raw-corpus.ts';

type Row = readonly [what: string, requestLine: string, status: number, headers?: readonly string[], body?: string | Buffer];

const JSON_TYPE = 'Content-Type: application/json';
const DEEP_ARRAY = '['.repeat(5_000) + ']'.repeat(5_000);
const PROTO_BODY = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
const createPaddedBody = (bytes: number) => `{${' '.repeat(bytes - 2)}}`;

/** @param status the status for a body that is not a JSON object */
const createBadBodies = (line: string, status: number): readonly Row[] => [
  ['malformed JSON', line, status, [JSON_TYPE], '{"a":'],
  ['another content type', line, status, ['Content-Type: text/plain'], '{}'],
  ['no content type', line, status, [], '{}'],
  ['an empty body', line, status, [JSON_TYPE]],
  ['an array of 5,000 levels', line, status, [JSON_TYPE], DEEP_ARRAY],
  ['a member with an array of 5,000 levels', line, 422, [JSON_TYPE], `{"a":${DEEP_ARRAY}}`],
  ['members named __proto__ and constructor', line, 422, [JSON_TYPE], PROTO_BODY],
  ['a body of 1 MiB', line, 422, [JSON_TYPE], createPaddedBody(MAX_BODY_BYTES)],
  ['a body of 1 MiB and a byte', line, 413, [JSON_TYPE], createPaddedBody(MAX_BODY_BYTES + 1)],
  ['a gzip bomb', line, 413, [JSON_TYPE, 'Content-Encoding: gzip'], gzipSync(Buffer.alloc(50_000_000, ' '))],
  ['a truncated gzip body', line, 400, [JSON_TYPE, 'Content-Encoding: gzip'], gzipSync('{}').subarray(0, 12)],
  ['a body that is not valid Brotli', line, 400, [JSON_TYPE, 'Content-Encoding: br'], '{"a":"nothing of the kind"}'],
  ['a truncated zstd body', line, 400, [JSON_TYPE, 'Content-Encoding: zstd'], zstdCompressSync('{}').subarray(0, 8)],
  ['an unknown content coding', line, 415, [JSON_TYPE, 'Content-Encoding: compress'], '{}'],
  ['an unknown charset', line, 415, [`${JSON_TYPE}; charset=latin1`], '{}'],
];

const SERVICE_ROWS: readonly Row[] = [
  ...createBadBodies('POST /experience/assignments', 422),
  ...createBadBodies('PUT /experience/connections/any', 400),
  ['the same parameter twice', 'GET /users?accountId=a&accountId=b', 400],
  ['parameters named __proto__ and constructor', 'GET /users?__proto__[polluted]=1&constructor.prototype.polluted=1', 400],
  ['an encoded lone surrogate as an id', 'GET /users/%ED%A0%80', 404],
  ['the id %ZZ', 'GET /experience-assignments/%ZZ', 404],
];

const RESET_WORLD_REQUEST = 'POST /_control/reset';
const CONTROL_ROWS: readonly Row[] = [
  ['an Origin that is not allowed', RESET_WORLD_REQUEST, 403, [JSON_TYPE, 'Origin: https://evil.example'], '{"to":"empty"}'],
  ['a change with the content type text/plain', RESET_WORLD_REQUEST, 415, ['Content-Type: text/plain'], '{"to":"empty"}'],
  ['a Host that is not allowed', 'GET /_control/info', 403, ['Host: evil.example']],
  ['malformed JSON', RESET_WORLD_REQUEST, 400, [JSON_TYPE], '{"to":'],
  ['an empty body', RESET_WORLD_REQUEST, 400, [JSON_TYPE]],
  ['an array of 5,000 levels', RESET_WORLD_REQUEST, 400, [JSON_TYPE], DEEP_ARRAY],
  ['members named __proto__ and constructor', RESET_WORLD_REQUEST, 400, [JSON_TYPE], PROTO_BODY],
  ['a world named __proto__', 'PUT /_control/state', 400, [JSON_TYPE], '{"__proto__":{"polluted":1}}'],
  ['a body that is not valid zstd', RESET_WORLD_REQUEST, 400, [JSON_TYPE, 'Content-Encoding: zstd'], '{}'],
  ['an unknown charset', RESET_WORLD_REQUEST, 415, [`${JSON_TYPE}; charset=zebra`], '{}'],
  ['a collection named __proto__', 'GET /_control/state/__proto__', 404],
  ['an entity named constructor', 'GET /_control/state/users/constructor', 404],
  ['an entity named %00', 'GET /_control/state/users/%00', 404],
  ['an entity named %ZZ', 'GET /_control/state/users/%ZZ', 400],
  ['another method', 'PATCH /_control/reset', 405],
  ['an unknown path', 'GET /_control/no-such-thing', 404],
];

/** Returns requests that are valid HTTP, but invalid for the service or the control API. */
export function createBadRequests(token: string): readonly RawCase[] {
  const authorization = `Authorization: Bearer ${token}`;
  const chunks = `10000\r\n${' '.repeat(0x10000)}\r\n`.repeat(17);
  const head = ['POST /experience/assignments HTTP/1.1', 'Host: localhost', authorization, JSON_TYPE, 'Transfer-Encoding: chunked'];
  return [
    ...SERVICE_ROWS.map((row) => createCase(row, [authorization])),
    ...CONTROL_ROWS.map((row) => createCase(row, [])),
    { name: 'chunks of more than 1 MiB', bytes: `${head.join('\r\n')}\r\n\r\n${chunks}0\r\n\r\n`, statuses: [[413]] },
  ];
}

function createCase([what, requestLine, status, headers = [], body = '']: Row, own: readonly string[]): RawCase {
  const length = Buffer.byteLength(body);
  const host = headers.some((header) => header.startsWith('Host:')) ? [] : ['Host: localhost'];
  const fields = [...host, ...own, ...headers, ...(length > 0 ? [`Content-Length: ${length}`] : [])];
  const text = `${[`${requestLine} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`;
  return { name: `${what} (${requestLine})`, bytes: Buffer.concat([Buffer.from(text), Buffer.from(body)]), statuses: [[status]] };
}
