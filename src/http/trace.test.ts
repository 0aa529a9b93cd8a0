import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { assignTrace, traceIdIn, traceIdOf } from './trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

for (const [what, value, id] of [
  ['with four fields is valid', `00-${TRACE}-${PARENT}-01`, TRACE],
  ['of a later version may have more fields', `01-${TRACE}-${PARENT}-01-more`, TRACE],
  ['of version ff is ignored', `ff-${TRACE}-${PARENT}-01`, undefined],
  ['with an all-zero trace id is ignored', `00-${'0'.repeat(32)}-${PARENT}-01`, undefined],
  ['with an all-zero parent is ignored', `00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  ['in upper case is ignored', `00-${TRACE.toUpperCase()}-${PARENT}-01`, undefined],
  ['of version 00 with more fields is ignored', `00-${TRACE}-${PARENT}-01-more`, undefined],
  ['with text after the flags is ignored', `01-${TRACE}-${PARENT}-01x`, undefined],
  ['that is empty is ignored', '', undefined],
] as const) {
  test(`a traceparent ${what}`, () => assert.equal(traceIdIn(value), id));
}

test('the trace id of a request does not change, and comes from the traceparent header if the request has one', () => {
  const request = (traceparent?: string) => ({ headers: { traceparent } }) as unknown as IncomingMessage;
  const req = request();
  assignTrace(req, () => 'a'.repeat(32));
  assignTrace(req, () => 'b'.repeat(32));
  assert.equal(traceIdOf(req), 'a'.repeat(32));
  assert.equal(
    assignTrace(request(`00-${TRACE}-${PARENT}-00`), () => assert.fail('a new id was generated in spite of the traceparent')),
    TRACE,
  );
  assert.throws(() => traceIdOf(request()), /assignTrace/);
});
