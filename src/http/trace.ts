import type { IncomingMessage } from 'node:http';

/** Generates a trace id: 32 lower-case hex digits, which are never all zero. */
export type TraceSource = () => string;

const TRACE = Symbol('trace id');

type Traced = IncomingMessage & { [TRACE]?: string };

// W3C Trace Context, level 1: version ff, an all-zero trace id, an all-zero parent id and upper-case digits are invalid.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const LENGTH_OF_VERSION_00 = 55;

/** The trace id in the value of a `traceparent` header; undefined if the value is not valid. */
export function traceIdIn(traceparent: string | readonly string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  // Later versions may append fields, but version 00 ends after the flags, so a longer value is not valid.
  if (traceparent.length !== LENGTH_OF_VERSION_00 && traceparent.startsWith('00')) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/** Sets the trace id of a request, unless it has one, to the id in a valid `traceparent` header or to a new id. */
export function assignTrace(req: IncomingMessage, source: TraceSource): string {
  const traced = req as Traced;
  traced[TRACE] ??= traceIdIn(req.headers.traceparent) ?? source();
  return traced[TRACE];
}

/** The trace id of the request. Throws if `assignTrace` has not run. */
export function traceIdOf(req: IncomingMessage): string {
  const id = (req as Traced)[TRACE];
  if (id === undefined) throw new Error('The request has no trace id. Call assignTrace before traceIdOf.');
  return id;
}
