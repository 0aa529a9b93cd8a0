import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { assignTrace, traceIdIn, traceIdOf } from './trace.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const request = (traceparent?: string) => ({ headers: { traceparent } }) as unknown as IncomingMessage;

test('a valid traceparent gives its trace id', () => {
  assert.equal(traceIdIn(`00-${TRACE}-${PARENT}-01`), TRACE);
});

test('a traceparent of a later version may have more fields', () => {
  assert.equal(traceIdIn(`01-${TRACE}-${PARENT}-01-more`), TRACE);
});

for (const [what, value] of [
  ['version ff', `ff-${TRACE}-${PARENT}-01`],
  ['an all-zero trace id', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['an all-zero parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
  ['version 00 and more fields', `00-${TRACE}-${PARENT}-01-more`],
  ['text after the flags', `01-${TRACE}-${PARENT}-01x`],
  ['two values', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
  ['nothing in it', ''],
] as const) {
  test(`a traceparent with ${what} is ignored`, () => {
    assert.equal(traceIdIn(value), undefined);
  });
}

test('a request keeps its first trace id', () => {
  const req = request();
  assert.equal(
    assignTrace(req, () => 'a'.repeat(32)),
    'a'.repeat(32),
  );
  assignTrace(req, () => 'b'.repeat(32));
  assert.equal(traceIdOf(req), 'a'.repeat(32));
});

test('the trace id of the caller takes precedence over a new one', () => {
  const req = request(`00-${TRACE}-${PARENT}-00`);
  assert.equal(
    assignTrace(req, () => assert.fail('no fresh id is needed')),
    TRACE,
  );
});

test('reading the trace id before it is assigned throws', () => {
  assert.throws(() => traceIdOf(request()), /assignTrace/);
});
