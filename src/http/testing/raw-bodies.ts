import { MALFORMED, type RawCase, type RawTarget, ROUTED, rawMessages, repeat } from './raw-case.ts';

/** Unusual framing and bodies. */
export function bodyCases(target: RawTarget): readonly RawCase[] {
  const { read } = target;
  const { get, post, chunked, encoding, good } = rawMessages(target);
  return [
    // framing
    { name: 'Transfer-Encoding: xchunked', bytes: encoding('xchunked'), answers: MALFORMED },
    { name: 'Transfer-Encoding: gzip, chunked', bytes: encoding('gzip, chunked'), answers: MALFORMED },
    { name: 'Transfer-Encoding: chunked, gzip', bytes: encoding('chunked, gzip'), answers: MALFORMED },
    { name: 'Transfer-Encoding: identity', bytes: encoding('identity'), answers: MALFORMED },
    { name: 'Transfer-Encoding: chunked, chunked', bytes: encoding('chunked, chunked'), answers: MALFORMED },
    { name: 'Transfer-Encoding twice', bytes: encoding('chunked', 'chunked'), answers: MALFORMED },
    { name: 'Transfer-Encoding empty', bytes: encoding(''), answers: MALFORMED },
    { name: 'Transfer-Encoding quoted', bytes: encoding('"chunked"'), answers: MALFORMED },
    { name: 'Transfer-Encoding after a vertical tab', bytes: encoding('\x0bchunked'), answers: MALFORMED },
    { name: 'Transfer-Encoding in HTTP/1.0', bytes: encoding('chunked').replace('HTTP/1.1', 'HTTP/1.0'), answers: MALFORMED },
    {
      name: 'Transfer-Encoding: gzip, chunked behind 2,500 other fields',
      bytes: encoding('gzip, chunked').replace('Content-Type', `${repeat(2_500, () => 'a:\r\n')}Content-Type`),
      answers: [[400, 431]],
    },
    { name: 'Transfer-Encoding in capitals', bytes: encoding('CHUNKED'), answers: [ROUTED] },
    {
      name: 'Transfer-Encoding and Content-Length',
      bytes: post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
      answers: MALFORMED,
    },
    {
      name: 'Content-Length after Transfer-Encoding',
      bytes: post('Transfer-Encoding: chunked\r\nContent-Length: 2\r\n', '2\r\n{}\r\n0\r\n\r\n'),
      answers: MALFORMED,
    },
    { name: 'two different Content-Lengths', bytes: post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), answers: MALFORMED },
    { name: 'two equal Content-Lengths', bytes: post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), answers: MALFORMED },
    { name: 'a list of Content-Lengths', bytes: post('Content-Length: 2, 2\r\n', '{}'), answers: MALFORMED },
    { name: 'a negative Content-Length', bytes: post('Content-Length: -1\r\n', ''), answers: MALFORMED },
    { name: 'a Content-Length with a sign', bytes: post('Content-Length: +2\r\n', '{}'), answers: MALFORMED },
    { name: 'a hexadecimal Content-Length', bytes: post('Content-Length: 0x2\r\n', '{}'), answers: MALFORMED },
    { name: 'a Content-Length beyond 64 bits', bytes: post('Content-Length: 99999999999999999999999\r\n', '{}'), answers: MALFORMED },
    { name: 'a Content-Length of exabytes', bytes: post('Content-Length: 9000000000000000000\r\n', '{}'), answers: [[401, 413]] },
    {
      name: 'the same, waiting for 100 Continue',
      bytes: post('Expect: 100-continue\r\nContent-Length: 9000000000000000000\r\n', ''),
      answers: [[401, 413]],
    },
    { name: 'a chunk size that is not a number', bytes: chunked('zz\r\n{}\r\n0\r\n\r\n'), answers: MALFORMED },
    { name: 'a chunk size that is negative', bytes: chunked('-2\r\n{}\r\n0\r\n\r\n'), answers: MALFORMED },
    { name: 'a chunk size beyond 64 bits', bytes: chunked('fffffffffffffffff\r\n'), answers: MALFORMED },
    { name: 'a chunk longer than its size', bytes: chunked('2\r\n{}{}{}\r\n0\r\n\r\n'), answers: MALFORMED },
    { name: 'a chunk that ends in LF only', bytes: chunked('2\n{}\n0\n\n'), answers: MALFORMED },
    { name: 'a chunk extension of 20 KB', bytes: chunked(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), answers: [[413]] },
    {
      name: 'trailers of 20 KB',
      bytes: chunked(`2\r\n{}\r\n0\r\n${repeat(100, (i) => `X-${i}: ${'a'.repeat(200)}\r\n`)}\r\n`),
      answers: [[400, 413, 431]],
    },

    // bodies
    { name: 'a body that is not JSON', bytes: post('Content-Length: 1\r\n', '{'), answers: [[400, 401, 422]] },
    { name: 'a body that is not UTF-8', bytes: post('Content-Length: 4\r\n', '"\xff\xfe"'), answers: [ROUTED] },
    {
      name: 'a body that claims to be gzip',
      bytes: post('Content-Encoding: gzip\r\nContent-Length: 2\r\n', '{}'),
      answers: [[400, 401, 415]],
    },
    {
      name: 'a body in an unknown encoding',
      bytes: post('Content-Encoding: zebra\r\nContent-Length: 2\r\n', '{}'),
      answers: [[400, 401, 415]],
    },
    {
      name: 'a body in an unknown charset',
      bytes: post('Content-Length: 2\r\n', '{}').replace('json', 'json; charset=zebra'),
      answers: [[400, 401, 415]],
    },
    {
      name: 'a body of another type',
      bytes: post('Content-Length: 2\r\n', '{}').replace('application/json', 'text/html'),
      answers: [[400, 401, 415, 422]],
    },
    { name: 'a body with GET', bytes: get('Content-Length: 2\r\n').concat('{}'), answers: [ROUTED] },
    { name: 'a body cut short by the end of the connection', bytes: post('Content-Length: 10\r\n', '{'), answers: MALFORMED, fin: true },
    { name: 'chunks cut short by the end of the connection', bytes: chunked('5\r\n{'), answers: MALFORMED, fin: true },
    { name: 'a header cut short by the end of the connection', bytes: `GET ${read} HTTP/1.1\r\nHo`, answers: MALFORMED, fin: true },
    { name: 'a good request and the end of the sending side', bytes: good, answers: [ROUTED], fin: true },
  ];
}
