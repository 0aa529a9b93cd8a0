import type { ErrorRequestHandler } from 'express';
import { gateFailure } from '../contract/failure.ts';
import type { GateId } from '../contract/generated/gates.ts';
import { isUnavailable } from '../store/errors.ts';
import { sendFailure } from './problem.ts';
import { traceIdOf } from './trace.ts';

/** Receives unexpected errors and those of an unavailable database, but no client errors. */
export type ErrorLog = (error: unknown, traceId: string) => void;

/** The same for every cause, as the users operations document it. The log and the journal have the cause. */
export const INTERNAL_DETAIL = 'The service failed while it handled the request. The trace id leads to the cause.';

/** When a client may try again after the database was unavailable. */
export const RETRY_LATER = { 'Retry-After': '1' } as const;

// The types of body-parser and raw-body.
const BY_TYPE: Readonly<Record<string, GateId>> = {
  'entity.parse.failed': 'http.malformed-body',
  'entity.verify.failed': 'http.malformed-body',
  'request.size.invalid': 'http.malformed-body',
  'request.aborted': 'http.malformed-body',
  'entity.too.large': 'http.body-too-large',
  'parameters.too.many': 'http.body-too-large',
  'encoding.unsupported': 'http.unsupported-media-type',
  'charset.unsupported': 'http.unsupported-media-type',
};

/** The gate for an error of the database, of Express or of its body parsers; undefined for an unexpected error. */
export function gateOfError(error: unknown): GateId | undefined {
  if (isUnavailable(error)) return 'http.unavailable';
  if (!(error instanceof Error)) return undefined;
  const { type, status, code } = error as { type?: unknown; status?: unknown; code?: unknown };
  // Express marks the URIError of a path it cannot decode; one without status is a bug of ours.
  if (error instanceof URIError) return status === 400 ? 'http.malformed-path' : undefined;
  if (typeof type === 'string' && Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type];
  // body-parser sets status 400 on every error of its decompression stream. The code depends on the algorithm; an error without a code is not from there.
  return status === 400 && typeof code === 'string' ? 'http.malformed-body' : undefined;
}

function detailOf(error: unknown): string | undefined {
  const { type, message } = error as { type?: unknown; message?: unknown };
  return type === 'entity.parse.failed' ? `The body is not valid JSON: ${String(message)}` : undefined;
}

/** Express's last middleware: every error becomes a problem, never a stack or a page. */
export function createErrorHandler(log: ErrorLog): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const gate = gateOfError(error);
    // A request that broke off mid-body has its answer from the server; a handler that then fails to answer is no surprise.
    const brokenOff = !req.complete && (res.headersSent || res.destroyed);
    const unavailable = gate === 'http.unavailable';
    if ((gate === undefined || unavailable) && !brokenOff) log(error, traceIdOf(req));
    const failure =
      gate === undefined
        ? gateFailure('http.unexpected-error', INTERNAL_DETAIL)
        : gateFailure(gate, detailOf(error), unavailable ? { headers: RETRY_LATER } : {});
    const sent = sendFailure(res, failure);
    // Half an answer must not look like a whole one.
    if (!sent && !res.writableEnded) res.destroy();
  };
}
