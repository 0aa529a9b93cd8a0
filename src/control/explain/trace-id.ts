import { traceIdIn } from '../../http/trace.ts';

/** The trace id that somebody means: in any letter case, or as the whole value of a traceparent header, with its name or without. */
export function traceIdMeant(text: string): string {
  const plain = text.trim().toLowerCase();
  return traceIdIn(plain.replace(/^traceparent:\s*/, '')) ?? plain;
}
