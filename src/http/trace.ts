import type { IncomingMessage } from 'node:http';

/** Generates a trace id: 32 lower-case hexadecimal digits that are not all zero. */
export type TraceIdGenerator = () => string;

const TRACE_ID = Symbol('trace id');

type TracedRequest = IncomingMessage & { [TRACE_ID]?: string };

// W3C Trace Context, level 1. Version ff, zero ids and upper-case digits are invalid.
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/;
const LENGTH_OF_VERSION_00 = 55;

export function parseTraceparent(traceparent: string | readonly string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  // Version 00 has a fixed length, because only later versions may append fields.
  if (traceparent.length !== LENGTH_OF_VERSION_00 && traceparent.startsWith('00')) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

export function assignTraceId(req: IncomingMessage, source: TraceIdGenerator): string {
  const traced = req as TracedRequest;
  traced[TRACE_ID] ??= parseTraceparent(req.headers.traceparent) ?? source();
  return traced[TRACE_ID];
}

/** Throws if `assignTraceId` was not called. */
export function getTraceId(req: IncomingMessage): string {
  const id = (req as TracedRequest)[TRACE_ID];
  if (id === undefined) throw new Error('The request has no trace id. Call assignTraceId before getTraceId.');
  return id;
}
