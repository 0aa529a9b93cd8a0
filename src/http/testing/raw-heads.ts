import { MALFORMED, type RawCase, type RawTarget, ROUTED, rawMessages, repeat } from './raw-case.ts';

/** Unusual request lines, Hosts and header fields. */
export function headCases(target: RawTarget): readonly RawCase[] {
  const { read } = target;
  const { get, post, line, hosted, good } = rawMessages(target);
  return [
    // request line
    { name: 'a word of nonsense', bytes: 'nonsense\r\n\r\n', answers: MALFORMED },
    { name: 'a request line without target', bytes: line('GET HTTP/1.1'), answers: MALFORMED },
    { name: 'a request line without version', bytes: line(`GET ${read}`), answers: MALFORMED },
    { name: 'a target with a space', bytes: line('GET /a b HTTP/1.1'), answers: MALFORMED },
    { name: 'a target without a slash', bytes: line('GET users HTTP/1.1'), answers: MALFORMED },
    { name: 'a target that is an asterisk, with GET', bytes: line('GET * HTTP/1.1'), answers: MALFORMED },
    { name: 'a target with a fragment', bytes: line(`GET ${read}#part HTTP/1.1`), answers: MALFORMED },
    { name: 'a target with a raw byte beyond ASCII', bytes: line('GET /caf\xe9 HTTP/1.1'), answers: [[400, 401, 404]] },
    { name: 'a target with a control character', bytes: line('GET /a\x01b HTTP/1.1'), answers: MALFORMED },
    { name: 'a target of 20 KB', bytes: line(`GET /${'a'.repeat(20_000)} HTTP/1.1`), answers: [[431]] },
    { name: 'an unknown method', bytes: line(`FROBNICATE ${read} HTTP/1.1`), answers: [[400, 405]] },
    { name: 'a method in lower case', bytes: line(`get ${read} HTTP/1.1`), answers: [[400, 405]] },
    { name: 'a method with a bracket', bytes: line(`G[T ${read} HTTP/1.1`), answers: MALFORMED },
    { name: 'a method longer than any', bytes: line(`${'A'.repeat(5_000)} ${read} HTTP/1.1`), answers: MALFORMED },
    { name: 'the version HTTP/9.9', bytes: line(`GET ${read} HTTP/9.9`), answers: MALFORMED },
    { name: 'the version HTTP/0.9', bytes: line(`GET ${read} HTTP/0.9`), answers: MALFORMED },
    { name: 'the version HTTP/1.2', bytes: line(`GET ${read} HTTP/1.2`), answers: MALFORMED },
    { name: 'the version HTTP/2.0', bytes: line(`GET ${read} HTTP/2.0`), answers: MALFORMED },
    { name: 'the version HTTP/11', bytes: line(`GET ${read} HTTP/11`), answers: MALFORMED },
    { name: 'the version in lower case', bytes: line(`GET ${read} http/1.1`), answers: MALFORMED },
    { name: 'another protocol, ICE/1.0', bytes: line(`GET ${read} ICE/1.0`), answers: MALFORMED },
    { name: 'lines that end in LF only', bytes: good.replaceAll('\r\n', '\n'), answers: MALFORMED },
    { name: 'lines that end in CR only', bytes: good.replaceAll('\r\n', '\r'), answers: MALFORMED },
    { name: 'the preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', answers: MALFORMED },
    {
      name: 'the ClientHello of TLS',
      bytes: Buffer.from('1603010200010001fc0303a1b2c3d4e5f60718293a4b5c6d7e8f90', 'hex'),
      answers: MALFORMED,
    },
    { name: 'a NUL byte', bytes: '\0', answers: MALFORMED },
    { name: 'the command of another protocol', bytes: 'EHLO example.com\r\n', answers: MALFORMED },

    // Host
    { name: 'no Host', bytes: `GET ${read} HTTP/1.1\r\n\r\n`, answers: MALFORMED },
    { name: 'no Host on a pipelined second request', bytes: `${good}GET ${read} HTTP/1.1\r\n\r\n`, answers: [ROUTED, [400]] },
    { name: 'two Hosts', bytes: get(`Host: localhost\r\n`), answers: MALFORMED },
    { name: 'two Hosts in different case', bytes: get('hOST: evil.example\r\n'), answers: MALFORMED },
    {
      name: 'a second Host behind 2,500 other fields',
      bytes: get(`${repeat(2_500, () => 'a:\r\n')}Host: evil.example\r\n`),
      answers: [[400, 431]],
    },
    { name: 'an empty Host', bytes: hosted(''), answers: MALFORMED },
    { name: 'the Host of a stranger', bytes: hosted(' evil.example'), answers: [[403]] },
    { name: 'a Host that only begins like ours', bytes: hosted(' localhost.evil.example'), answers: [[403]] },
    {
      name: 'a Host that only ends like a loopback address',
      bytes: hosted(' evil-127.0.0.1'),
      answers: [[403]],
    },
    { name: 'a Host with user information', bytes: hosted(' localhost@evil.example'), answers: MALFORMED },
    { name: 'a Host with a path', bytes: hosted(' localhost/evil'), answers: MALFORMED },
    { name: 'a Host with a port out of range', bytes: hosted(' localhost:99999'), answers: MALFORMED },
    { name: 'a Host that is markup', bytes: hosted(' <script>alert(1)</script>'), answers: MALFORMED },

    // header fields
    { name: 'a header field of 20 KB', bytes: get(`X-Long: ${'a'.repeat(20_000)}\r\n`), answers: [[431]] },
    { name: '200 header fields of 200 bytes', bytes: get(repeat(200, (i) => `X-${i}: ${'a'.repeat(200)}\r\n`)), answers: [[431]] },
    { name: 'a field value with NUL', bytes: get('X-Odd: a\0b\r\n'), answers: MALFORMED },
    { name: 'a field value with a bare CR', bytes: get('X-Odd: a\rb\r\n'), answers: MALFORMED },
    { name: 'a field that ends in LF only', bytes: get('X-Odd: a\n'), answers: MALFORMED },
    { name: 'a folded field', bytes: get('X-Odd: a\r\n folded\r\n'), answers: MALFORMED },
    { name: 'a space before the colon', bytes: get('X-Odd : a\r\n'), answers: MALFORMED },
    { name: 'a field without colon', bytes: get('X-Odd\r\n'), answers: MALFORMED },
    { name: 'a field without name', bytes: get(': a\r\n'), answers: MALFORMED },
    { name: 'a field name with a byte beyond ASCII', bytes: get('X-\xe9: a\r\n'), answers: MALFORMED },
    { name: 'a field value beyond ASCII', bytes: get('X-Odd: \xe9\r\n'), answers: [ROUTED] },
    { name: 'a traceparent that is none', bytes: get('traceparent: <script>\r\n', '/no-such-path'), answers: [[401, 404]] },
    { name: 'an unknown expectation', bytes: get('Expect: x\r\n'), answers: [[417]] },
    {
      name: 'an unknown expectation beside 100-continue',
      bytes: post('Expect: 100-continue, x\r\nContent-Length: 2\r\n', '{}'),
      answers: [[417]],
    },
  ];
}
