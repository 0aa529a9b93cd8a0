import type { ErrorRequestHandler, RequestHandler } from 'express';
import { createGateFailure } from '../contract/failure.ts';
import type { GateId } from '../contract/generated/gates.ts';
import { isUnavailable } from '../store/errors.ts';
import { sendFailure } from './problem.ts';
import { getTraceId } from './trace.ts';

/** Called for unexpected errors and for errors from an unavailable database. */
export type ErrorLog = (error: unknown, traceId: string) => void;

/** The detail of every 500 response, as documented in the specification. Only the log and the journal contain the cause. */
export const INTERNAL_DETAIL = 'The service failed while it handled the request. To find the cause in the log, use the trace id.';

/** The value is in seconds. */
const RETRY_AFTER_HEADER = { 'Retry-After': '1' } as const;

// The keys are the error types of body-parser and raw-body.
const GATE_BY_ERROR_TYPE: Readonly<Record<string, GateId>> = {
  'entity.parse.failed': 'http.malformed-body',
  'entity.verify.failed': 'http.malformed-body',
  'request.size.invalid': 'http.malformed-body',
  'request.aborted': 'http.malformed-body',
  'entity.too.large': 'http.body-too-large',
  'parameters.too.many': 'http.body-too-large',
  'encoding.unsupported': 'http.unsupported-media-type',
  'charset.unsupported': 'http.unsupported-media-type',
};

/** Returns the problem to report for an error from the database, Express or a body parser, or undefined for any other error. */
export function findGate(error: unknown): GateId | undefined {
  if (isUnavailable(error)) return 'http.unavailable';
  if (!(error instanceof Error)) return undefined;
  const { type, status, code } = error as { type?: unknown; status?: unknown; code?: unknown };
  // If Express cannot decode a path, it throws a URIError with the status 400. Any other URIError is due to a bug.
  if (error instanceof URIError) return status === 400 ? 'http.malformed-path' : undefined;
  if (typeof type === 'string' && Object.hasOwn(GATE_BY_ERROR_TYPE, type)) return GATE_BY_ERROR_TYPE[type];
  // A decompression error always has a code, whose value depends on the algorithm.
  return status === 400 && typeof code === 'string' ? 'http.malformed-body' : undefined;
}

function describeError(error: unknown): string | undefined {
  const { type, message } = error as { type?: unknown; message?: unknown };
  return type === 'entity.parse.failed' ? `The body is not valid JSON: ${String(message)}` : undefined;
}

export function createErrorHandler(log: ErrorLog): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const gate = findGate(error);
    // After a response to an incomplete request, an error from the route handler is expected.
    const aborted = !req.complete && (res.headersSent || res.destroyed);
    const unavailable = gate === 'http.unavailable';
    if ((gate === undefined || unavailable) && !aborted) log(error, getTraceId(req));
    const failure =
      gate === undefined
        ? createGateFailure('http.unexpected-error', INTERNAL_DETAIL)
        : createGateFailure(gate, describeError(error), unavailable ? { headers: RETRY_AFTER_HEADER } : {});
    const sent = sendFailure(res, failure);
    // Without `destroy`, the client could mistake a partial response for a complete one.
    if (!sent && !res.writableEnded) res.destroy();
  };
}

export function refuseOtherMethods(methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method === 'OPTIONS') res.writeHead(204, { Allow: allow }).end();
    else
      sendFailure(
        res,
        createGateFailure('http.method-not-allowed', `This path allows only these methods: ${allow}.`, { headers: { Allow: allow } }),
      );
  };
}

export const refuseUnknownRoute: RequestHandler = (req, res) => {
  sendFailure(res, createGateFailure('http.unknown-route', `No operation has this path and the method ${req.method}.`));
};
