import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { assignTraceId, getTraceId, parseTraceparent } from './trace.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';

for (const [what, value, id] of [
  ['with four fields is valid', `00-${TRACE_ID}-${PARENT_ID}-01`, TRACE_ID],
  ['of a later version may have more fields', `01-${TRACE_ID}-${PARENT_ID}-01-more`, TRACE_ID],
  ['of version ff is ignored', `ff-${TRACE_ID}-${PARENT_ID}-01`, undefined],
  ['with an all-zero trace id is ignored', `00-${'0'.repeat(32)}-${PARENT_ID}-01`, undefined],
  ['with an all-zero parent is ignored', `00-${TRACE_ID}-${'0'.repeat(16)}-01`, undefined],
  ['in upper case is ignored', `00-${TRACE_ID.toUpperCase()}-${PARENT_ID}-01`, undefined],
  ['of version 00 with more fields is ignored', `00-${TRACE_ID}-${PARENT_ID}-01-more`, undefined],
  ['with text after the flags is ignored', `01-${TRACE_ID}-${PARENT_ID}-01x`, undefined],
  ['that is empty is ignored', '', undefined],
] as const) {
  test(`a traceparent ${what}`, () => assert.equal(parseTraceparent(value), id));
}

test("a request's trace id does not change, and comes from the traceparent header if the request has one", () => {
  const createRequest = (traceparent?: string) => ({ headers: { traceparent } }) as unknown as IncomingMessage;
  const req = createRequest();
  assignTraceId(req, () => 'a'.repeat(32));
  assignTraceId(req, () => 'b'.repeat(32));
  assert.equal(getTraceId(req), 'a'.repeat(32));
  assert.equal(
    assignTraceId(createRequest(`00-${TRACE_ID}-${PARENT_ID}-00`), () =>
      assert.fail('the kit generated a new trace id although the request has a traceparent'),
    ),
    TRACE_ID,
  );
  assert.throws(() => getTraceId(createRequest()), /assignTrace/);
});
