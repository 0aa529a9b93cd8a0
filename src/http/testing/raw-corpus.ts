export interface RawCase {
  readonly name: string;
  readonly bytes: string | Buffer;
  readonly statuses: readonly (readonly number[])[];
  readonly isHead?: true;
  readonly endsAfterBytes?: true;
  /** Whether the server responds only after a timeout. */
  readonly slow?: true;
}

/** The possible statuses for a well-formed request that reaches a route. */
const ROUTED_STATUSES = [200, 201, 204, 400, 401, 403, 404, 405, 409, 422];
const UNKNOWN_PATH_STATUSES = [400, 401, 404];

const repeat = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index)).join('');

/**
 * Returns malformed and unusual input: a case for each check and each parser error.
 * @param read a path that accepts GET
 * @param write a path that accepts POST with JSON
 * @param headers header lines for requests with a valid Host
 */
export function createRawCorpus({ read, write, headers: own = '' }: { read: string; write: string; headers?: string }): readonly RawCase[] {
  const line = (requestLine: string, headers = '') => `${requestLine}\r\nHost: localhost\r\n${own}${headers}\r\n`;
  const get = (headers = '', target = read) => line(`GET ${target} HTTP/1.1`, headers);
  const getWithHost = (host: string) => `GET ${read} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const post = (headers: string, body = '') => `${line(`POST ${write} HTTP/1.1`, `Content-Type: application/json\r\n${headers}`)}${body}`;
  const postChunks = (body: string) => post('Transfer-Encoding: chunked\r\n', body);
  const postWithEncoding = (...values: string[]) =>
    post(values.map((value) => `Transfer-Encoding: ${value}\r\n`).join(''), '2\r\n{}\r\n0\r\n\r\n');
  const good = get();
  const connect = 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n';
  const manyFields = repeat(2_500, () => 'a:\r\n');

  const malformed: Record<string, string | Buffer> = {
    'a line that is not HTTP': 'nonsense\r\n\r\n',
    'a NUL byte': '\0',
    'the ClientHello of TLS': Buffer.from('1603010200010001fc0303a1b2c3d4e5f60718293a4b5c6d7e8f90', 'hex'),
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'the version HTTP/0.9': line(`GET ${read} HTTP/0.9`),
    'the version HTTP/2.0': line(`GET ${read} HTTP/2.0`),
    'a method with a bracket': line(`G[T ${read} HTTP/1.1`),
    'lines that end in LF only': good.replaceAll('\r\n', '\n'),
    'a target without a slash': line('GET users HTTP/1.1'),
    'GET with the target *': line('GET * HTTP/1.1'),
    'a target with a fragment': line(`GET ${read}#part HTTP/1.1`),
    'a full URL with user information': get('', 'http://localhost@evil.example/'),
    'a full URL with the scheme ftp': get('', 'ftp://localhost/'),
    'a full URL without a host': get('', 'http:///a'),
    'no Host': `GET ${read} HTTP/1.1\r\n\r\n`,
    'two Host headers in different letter case': get('hOST: evil.example\r\n'),
    'an empty Host': getWithHost(''),
    'a Host with user information': getWithHost('localhost@evil.example'),
    'a Host with a port out of range': getWithHost('localhost:99999'),
    'a header value with NUL': get('X-Odd: a\0b\r\n'),
    'a header that continues on the next line': get('X-Odd: a\r\n folded\r\n'),
    'a space before the colon': get('X-Odd : a\r\n'),
    'Transfer-Encoding: xchunked': postWithEncoding('xchunked'),
    'Transfer-Encoding: gzip, chunked': postWithEncoding('gzip, chunked'),
    'Transfer-Encoding twice': postWithEncoding('chunked', 'chunked'),
    'Transfer-Encoding empty': postWithEncoding(''),
    'Transfer-Encoding after a vertical tab': postWithEncoding('\x0bchunked'),
    'Transfer-Encoding in HTTP/1.0': postWithEncoding('chunked').replace('HTTP/1.1', 'HTTP/1.0'),
    'Transfer-Encoding and Content-Length': post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
    'two different Content-Lengths': post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
    'two equal Content-Lengths': post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'),
    'a negative Content-Length': post('Content-Length: -1\r\n'),
    'a Content-Length beyond 64 bits': post('Content-Length: 99999999999999999999999\r\n', '{}'),
    'a chunk size that is not a number': postChunks('zz\r\n{}\r\n0\r\n\r\n'),
    'a chunk longer than its declared size': postChunks('2\r\n{}{}{}\r\n0\r\n\r\n'),
    'a malformed request before a valid one': `G[T / HTTP/1.1\r\n\r\n${good}`,
    'a request with the encoding gzip before a valid request': `${postWithEncoding('gzip, chunked')}${good}`,
    'a request without Host before a valid one': `GET ${read} HTTP/1.1\r\n\r\n${good}`,
  };

  const others: Record<string, readonly [bytes: string, ...statuses: (readonly number[])[]]> = {
    'a target with a byte that is not ASCII': [get('', '/caf\xe9'), UNKNOWN_PATH_STATUSES],
    'a path that starts with //': [get('', '//evil.example/a'), UNKNOWN_PATH_STATUSES],
    'an escaped /../': [get('', '/%2e%2e/%2e%2e%2fetc'), UNKNOWN_PATH_STATUSES],
    'the id %FF': [get('', '/users/%FF'), UNKNOWN_PATH_STATUSES],
    'the query %ZZ': [get('', `${read}?a=%ZZ&a[]=1&__proto__[x]=1`), ROUTED_STATUSES],
    'a full URL with the address of the kit': [get('', `http://localhost${read}`), ROUTED_STATUSES],
    'a full URL with a host that is not allowed': [get('', `http://evil.example${read}`), [403]],
    'a Host that is not allowed': [getWithHost('evil.example'), [403]],
    'a target of 20 KB': [get('', `/${'a'.repeat(20_000)}`), [431]],
    'a header of 20 KB': [get(`X-Long: ${'a'.repeat(20_000)}\r\n`), [431]],
    'a second Host after 2,500 other headers': [get(`${manyFields}Host: evil.example\r\n`), [400, 431]],
    'Transfer-Encoding: gzip, chunked after 2,500 other headers': [
      postWithEncoding('gzip, chunked').replace('Content-Type', `${manyFields}Content-Type`),
      [400, 431],
    ],
    'Transfer-Encoding in capitals': [postWithEncoding('CHUNKED'), ROUTED_STATUSES],
    'a header value that is not ASCII': [get('X-Odd: \xe9\r\n'), ROUTED_STATUSES],
    'a traceparent that is not valid': [get('traceparent: <script>\r\n', '/no-such-path'), UNKNOWN_PATH_STATUSES],
    'an unknown expectation together with 100-continue': [post('Expect: 100-continue, x\r\nContent-Length: 2\r\n', '{}'), [417]],
    'a Content-Length of exabytes': [post('Content-Length: 9000000000000000000\r\n', '{}'), [413]],
    'a Content-Length of exabytes with Expect: 100-continue': [
      post('Expect: 100-continue\r\nContent-Length: 9000000000000000000\r\n'),
      [413],
    ],
    'a chunk extension of 20 KB': [postChunks(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), [413]],
    'trailers of 20 KB': [postChunks(`2\r\n{}\r\n0\r\n${repeat(100, (i) => `X-${i}: ${'a'.repeat(200)}\r\n`)}\r\n`), [400, 413, 431]],
    'a body that is not UTF-8': [post('Content-Length: 4\r\n', '"\xff\xfe"'), ROUTED_STATUSES],
    'a body with GET': [get('Content-Length: 2\r\n').concat('{}'), ROUTED_STATUSES],
    'an unknown method': [line(`FROBNICATE ${read} HTTP/1.1`), [400, 405]],
    'OPTIONS with the target *': [line('OPTIONS * HTTP/1.1'), ROUTED_STATUSES],
    TRACE: [line(`TRACE ${read} HTTP/1.1`), [401, 404, 405]],
    CONNECT: [connect, [405]],
    'CONNECT after a valid request': [`${good}${connect}`, ROUTED_STATUSES, [405]],
    'an upgrade to WebSocket': [get('Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'), [400]],
    'an ignored upgrade to h2c in a request with a body': [
      post('Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n', '{}'),
      ROUTED_STATUSES,
    ],
    'three valid requests before a malformed one': [
      `${good.repeat(3)}nonsense\r\n\r\n`,
      ROUTED_STATUSES,
      ROUTED_STATUSES,
      ROUTED_STATUSES,
      [400],
    ],
    'a valid request before one with a malformed chunk': [`${good}${postChunks('zz\r\n')}`, ROUTED_STATUSES, [400]],
    'a valid request before one without Host': [`${good}GET ${read} HTTP/1.1\r\n\r\n`, ROUTED_STATUSES, [400]],
  };

  const slow: Record<string, readonly [bytes: string, ...statuses: (readonly number[])[]]> = {
    'a connection without any bytes': ['', [408]],
    'headers that do not end': [good.slice(0, -2), [408]],
    'a body that is never sent': [post('Content-Length: 10\r\n'), [408]],
    'a body that stops half-way': [postChunks('2\r\n{'), [408]],
    'a valid request before half a request': [`${good}GET ${read} HT`, ROUTED_STATUSES, [408]],
  };

  return [
    ...Object.entries(malformed).map(([name, bytes]) => ({ name, bytes, statuses: [[400]] })),
    ...Object.entries(others).map(([name, [bytes, ...statuses]]) => ({ name, bytes, statuses })),
    ...Object.entries(slow).map(([name, [bytes, ...statuses]]) => ({ name, bytes, statuses, slow: true as const })),
    { name: 'HEAD of an unknown path', bytes: line('HEAD /no-such-path HTTP/1.1'), statuses: [UNKNOWN_PATH_STATUSES], isHead: true },
    { name: 'HEAD without Host', bytes: `HEAD ${read} HTTP/1.1\r\n\r\n`, statuses: [[400]], isHead: true },
    { name: 'a body that ends too early', bytes: post('Content-Length: 10\r\n', '{'), statuses: [[400]], endsAfterBytes: true },
    { name: 'a header that ends too early', bytes: `GET ${read} HTTP/1.1\r\nHo`, statuses: [[400]], endsAfterBytes: true },
    {
      name: 'a valid request, after which the client closes its sending side',
      bytes: good,
      statuses: [ROUTED_STATUSES],
      endsAfterBytes: true,
    },
  ];
}
