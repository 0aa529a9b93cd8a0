import type { IncomingMessage } from 'node:http';

/** Generates a trace id: 32 lower-case hexadecimal digits that are not all zero. */
export type TraceIdGenerator = () => string;

const TRACE_ID = Symbol('trace id');

type TracedRequest = IncomingMessage & { [TRACE_ID]?: string };

// The traceparent format in W3C Trace Context, level 1. Version ff, an all-zero trace id or parent id, and upper-case digits are not valid.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const LENGTH_OF_VERSION_00 = 55;

/** Returns the trace id in a `traceparent` header value, or undefined if the value is not valid. */
export function parseTraceparent(traceparent: string | readonly string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  // A later version of the format may append fields. Version 00 has a fixed length, so a longer value is not valid.
  if (traceparent.length !== LENGTH_OF_VERSION_00 && traceparent.startsWith('00')) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/** Sets a request's trace id if it has none. The trace id comes from a valid `traceparent` header, or is generated. */
export function assignTraceId(req: IncomingMessage, source: TraceIdGenerator): string {
  const traced = req as TracedRequest;
  traced[TRACE_ID] ??= parseTraceparent(req.headers.traceparent) ?? source();
  return traced[TRACE_ID];
}

/** Returns the request's trace id. Throws if `assignTraceId` was not called. */
export function getTraceId(req: IncomingMessage): string {
  const id = (req as TracedRequest)[TRACE_ID];
  if (id === undefined) throw new Error('The request has no trace id. Call assignTraceId before getTraceId.');
  return id;
}
