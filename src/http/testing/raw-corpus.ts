import { bodyCases } from './raw-bodies.ts';
import { MALFORMED, type RawCase, type RawTarget, ROUTED, rawMessages } from './raw-case.ts';
import { headCases } from './raw-heads.ts';
import { targetCases } from './raw-targets.ts';

/** Malformed and unusual input over a raw socket. Each case uses its own connection. */
export function rawCorpus(target: RawTarget): readonly RawCase[] {
  return [...headCases(target), ...bodyCases(target), ...targetCases(target), ...sequenceCases(target)];
}

/** Several requests on one connection, and requests that never end. */
function sequenceCases(target: RawTarget): readonly RawCase[] {
  const { read } = target;
  const { post, chunked, encoding, good } = rawMessages(target);
  return [
    // pipelining
    { name: 'a good and a malformed request', bytes: `${good}G[T / HTTP/1.1\r\n\r\n`, answers: [ROUTED, [400]] },
    {
      name: 'three good requests and a malformed one',
      bytes: `${good.repeat(3)}nonsense\r\n\r\n`,
      answers: [ROUTED, ROUTED, ROUTED, [400]],
    },
    { name: 'a good request and one with a broken chunk', bytes: `${good}${chunked('zz\r\n')}`, answers: [ROUTED, [400]] },
    { name: 'a malformed and a good request', bytes: `G[T / HTTP/1.1\r\n\r\n${good}`, answers: MALFORMED },
    { name: 'a request smuggled behind a doubtful encoding', bytes: `${encoding('gzip, chunked')}${good}`, answers: MALFORMED },
    { name: 'a request without Host and a good one', bytes: `GET ${read} HTTP/1.1\r\n\r\n${good}`, answers: MALFORMED },

    // slowness
    { name: 'nothing at all', bytes: '', answers: [[408]], slow: true },
    { name: 'half a request line', bytes: 'GET /', answers: [[408]], slow: true },
    { name: 'headers without end', bytes: good.slice(0, -2), answers: [[408]], slow: true },
    { name: 'a body that does not come', bytes: post('Content-Length: 10\r\n', ''), answers: [[401, 408]], slow: true },
    { name: 'a body that stops half-way', bytes: chunked('2\r\n{'), answers: [[401, 408]], slow: true },
    { name: 'a good request and half of the next', bytes: `${good}GET ${read} HT`, answers: [ROUTED, [408]], slow: true },
  ];
}
