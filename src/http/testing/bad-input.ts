import { gzipSync, zstdCompressSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '../framing.ts';
import type { RawCase } from './raw-case.ts';

type Body = string | Buffer;

/** Well-framed but invalid input for the service (with the token) and for the control API, each with the expected status. */
export function badInput(token: string): readonly RawCase[] {
  const message = (line: string, headers: readonly string[], body: Body = ''): Buffer => {
    const length = Buffer.byteLength(body);
    const fields = ['Host: localhost', ...headers, ...(length > 0 ? [`Content-Length: ${length}`] : [])];
    return Buffer.concat([
      Buffer.from(`${line} HTTP/1.1\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`, 'latin1'),
      Buffer.from(body),
    ]);
  };
  const known = `Authorization: Bearer ${token}`;
  const json = 'Content-Type: application/json';
  const service = (name: string, line: string, status: number, headers: readonly string[] = [], body?: Body): RawCase => {
    return { name: `${name} (${line.slice(0, 60)})`, bytes: message(line, [known, ...headers], body), answers: [[status]] };
  };
  const control = (name: string, line: string, status: number, headers: readonly string[] = [json], body?: Body): RawCase => {
    return { name: `${name} (${line})`, bytes: message(line, headers, body), answers: [[status]] };
  };

  // The status for a body that is not a JSON object: documented for connections, and for assignments a decision, which is 422 by default.
  const writes = [
    ['POST /experience/assignments', 422],
    ['POST /experience-connections', 400],
    ['PUT /experience/connections/any', 400],
  ] as const;
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  const proto = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
  const padded = (bytes: number) => `{${' '.repeat(bytes - 2)}}`;
  const bodies = writes.flatMap(([line, status]) => [
    service('malformed JSON', line, status, [json], '{"a":'),
    service('another content type', line, status, ['Content-Type: text/plain'], '{}'),
    service('no content type', line, status, [], '{}'),
    service('an empty body', line, status, [json]),
    service('an array 5,000 deep', line, status, [json], deep),
    service('a member 5,000 deep', line, 422, [json], `{"a":${deep}}`),
    service('members named __proto__ and constructor', line, 422, [json], proto),
    service('NUL in the body', line, status, [json], '\0'),
    service('a body of 1 MiB', line, 422, [json], padded(MAX_BODY_BYTES)),
    service('a body of 1 MiB and a byte', line, 413, [json], padded(MAX_BODY_BYTES + 1)),
    service('a gzip bomb', line, 413, [json, 'Content-Encoding: gzip'], gzipSync(Buffer.alloc(50_000_000, ' '))),
    service('half a gzip body', line, 400, [json, 'Content-Encoding: gzip'], gzipSync('{}').subarray(0, 12)),
    service('a body that is not valid Brotli', line, 400, [json, 'Content-Encoding: br'], '{"a":"nothing of the kind"}'),
    service('a body that is not valid zstd', line, 400, [json, 'Content-Encoding: zstd'], '{}'),
    service('half a zstd body', line, 400, [json, 'Content-Encoding: zstd'], zstdCompressSync('{}').subarray(0, 8)),
  ]);

  return [
    ...bodies,
    { name: 'chunks of more than 1 MiB', bytes: chunkedTooLarge(known), answers: [[413]] },
    service('a parameter twice', 'GET /users?accountId=a&accountId=b', 400),
    service('parameters named __proto__ and constructor', 'GET /users?__proto__[polluted]=1&constructor.prototype.polluted=1', 400),
    service('%00 as an id', 'GET /users/%00', 404),
    service('%00 as an id', 'DELETE /experience/assignments/%00', 404),
    service('%00 as an id', 'PUT /experience-connections/%00', 404, [json], '{"state":"ACTIVE"}'),
    service('an encoded lone surrogate as an id', 'GET /users/%ED%A0%80', 400),
    service('%ZZ as an id', 'GET /experience-assignments/%ZZ', 400),
    service('20 KB of headers', 'GET /users', 431, [`X-Long: ${'a'.repeat(20_000)}`]),
    service('a second Host', 'GET /users', 400, ['Host: localhost']),
    service('PATCH', 'PATCH /experience/assignments', 405),
    service('DELETE of a list', 'DELETE /users', 405),
    service('an unknown path', 'GET /experience/users', 404),
    service('an unknown expectation', 'GET /users', 417, ['Expect: the-unexpected']),
    service('Transfer-Encoding: xchunked', 'GET /users', 400, ['Transfer-Encoding: xchunked']),

    control('a foreign Origin', 'GET /_control/info', 403, ['Origin: https://evil.example']),
    control('a foreign Origin', 'POST /_control/reset', 403, [json, 'Origin: https://evil.example'], '{"to":"empty"}'),
    control('the Origin null', 'GET /_control/info', 403, ['Origin: null']),
    control('the Origin null', 'POST /_control/reset', 403, [json, 'Origin: null'], '{"to":"empty"}'),
    control('a cross-site fetch', 'GET /_control/info', 403, ['Sec-Fetch-Site: cross-site']),
    control('a same-site fetch', 'POST /_control/reset', 403, [json, 'Sec-Fetch-Site: same-site'], '{"to":"empty"}'),
    control('a preflight', 'OPTIONS /_control/reset', 403, ['Origin: https://evil.example', 'Access-Control-Request-Method: POST']),
    control('a change as text/plain', 'POST /_control/reset', 415, ['Content-Type: text/plain'], '{"to":"empty"}'),
    control('a change as a form', 'POST /_control/reset', 415, ['Content-Type: application/x-www-form-urlencoded'], 'to=empty'),
    control('a change without content type', 'POST /_control/reset', 415, [], '{"to":"empty"}'),
    { name: 'a foreign Host (control API)', bytes: 'GET /_control/info HTTP/1.1\r\nHost: evil.example\r\n\r\n', answers: [[403]] },
    { name: 'a foreign Host (service)', bytes: 'GET /users HTTP/1.1\r\nHost: evil.example\r\n\r\n', answers: [[403]] },
    control('malformed JSON', 'POST /_control/reset', 400, [json], '{"to":'),
    control('an empty body', 'POST /_control/reset', 400),
    control('an array 5,000 deep', 'POST /_control/reset', 400, [json], deep),
    control('members named __proto__ and constructor', 'POST /_control/reset', 400, [json], proto),
    control('__proto__ as a world', 'PUT /_control/state', 400, [json], '{"__proto__":{"polluted":1}}'),
    control('a body that is not valid gzip', 'POST /_control/reset', 400, [json, 'Content-Encoding: gzip'], '{}'),
    control('a body that is not valid zstd', 'POST /_control/reset', 400, [json, 'Content-Encoding: zstd'], '{}'),
    control('an unknown charset', 'POST /_control/reset', 415, ['Content-Type: application/json; charset=zebra'], '{}'),
    control('20 KB of headers', 'GET /_control/info', 431, [`X-Long: ${'a'.repeat(20_000)}`]),
    control('a collection named __proto__', 'GET /_control/state/__proto__', 404),
    control('an entity named constructor', 'GET /_control/state/users/constructor', 404),
    control('an entity named %00', 'GET /_control/state/users/%00', 404),
    control('an entity named %ZZ', 'GET /_control/state/users/%ZZ', 400),
    control('another method', 'PATCH /_control/reset', 405),
    control('an unknown path', 'GET /_control/no-such-thing', 404),
  ];
}

function chunkedTooLarge(known: string): Buffer {
  const head = `POST /experience/assignments HTTP/1.1\r\nHost: localhost\r\n${known}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  return Buffer.from(`${head}${chunk.repeat(17)}0\r\n\r\n`, 'latin1');
}
