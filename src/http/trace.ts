import type { IncomingMessage } from 'node:http';

/** Generates a trace id of 32 lower-case hex digits. A trace id of zeros is not generated. */
export type TraceSource = () => string;

const TRACE = Symbol('trace id');

type Traced = IncomingMessage & { [TRACE]?: string };

// The traceparent format of W3C Trace Context, level 1. The version ff, a trace id of zeros, a parent id of zeros, and upper-case digits
// are not valid.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const LENGTH_OF_VERSION_00 = 55;

/** Returns the trace id in the value of a `traceparent` header, or undefined if the value is not valid. */
export function traceIdIn(traceparent: string | readonly string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  // A later version of the format may append fields. Version 00 has a fixed length, so a longer value is not valid.
  if (traceparent.length !== LENGTH_OF_VERSION_00 && traceparent.startsWith('00')) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/** Sets the trace id of a request that has none. The trace id is the id in a valid `traceparent` header, or a new id. */
export function assignTrace(req: IncomingMessage, source: TraceSource): string {
  const traced = req as Traced;
  traced[TRACE] ??= traceIdIn(req.headers.traceparent) ?? source();
  return traced[TRACE];
}

/** Returns the trace id of the request. Throws if `assignTrace` has not run. */
export function traceIdOf(req: IncomingMessage): string {
  const id = (req as Traced)[TRACE];
  if (id === undefined) throw new Error('The request has no trace id. Call assignTrace before traceIdOf.');
  return id;
}
