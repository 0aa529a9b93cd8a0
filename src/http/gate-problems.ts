import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Problem, sendProblem } from './problem-response.ts';

/** The statuses a gate may answer with; a handler has the documented ones instead. */
export type GateStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 417 | 429 | 431 | 503;

export interface GateProblem {
  readonly status: GateStatus;
  readonly title: string;
  /** One sentence for the page at `/problems/<id>`, and the detail where a refusal has nothing more precise to say. */
  readonly text: string;
}

export const gateProblems = {
  'http.malformed-request': { status: 400, title: 'Malformed request', text: 'The bytes received are not a valid HTTP/1.1 request.' },
  'http.malformed-path': {
    status: 400,
    title: 'Malformed path',
    text: 'The request target is not a valid path, or its percent-escapes are not UTF-8.',
  },
  'http.malformed-body': { status: 400, title: 'Malformed body', text: 'The body could not be read as what its headers say it is.' },
  'http.upgrade-refused': { status: 400, title: 'No protocol upgrade', text: 'This service speaks HTTP/1.1 only and offers no WebSocket.' },
  'http.control-token-required': {
    status: 401,
    title: 'Control token required',
    text: 'The control API needs the control token it was started with.',
  },
  'http.unknown-host': {
    status: 403,
    title: 'Unknown host',
    text: 'The Host of the request is not one this service was told to answer for.',
  },
  'http.foreign-origin': { status: 403, title: 'Foreign origin', text: 'The control API does not answer pages of another origin.' },
  'http.unknown-route': { status: 404, title: 'Unknown path', text: 'No operation has this path.' },
  'http.method-not-allowed': { status: 405, title: 'Method not allowed', text: 'The path exists, but not with this method.' },
  'http.request-timeout': {
    status: 408,
    title: 'Request timeout',
    text: 'The request was not received completely within the time allowed.',
  },
  'http.body-too-large': { status: 413, title: 'Body too large', text: 'The body is larger than this service reads.' },
  'http.unsupported-media-type': {
    status: 415,
    title: 'Unsupported media type',
    text: 'The body must be application/json in UTF-8, compressed by gzip, deflate or br, or not at all.',
  },
  'http.expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    text: 'The only expectation this service can meet is 100-continue.',
  },
  'http.headers-too-large': {
    status: 431,
    title: 'Header fields too large',
    text: 'The header fields are larger than this service reads.',
  },
  'http.shutting-down': { status: 503, title: 'Shutting down', text: 'The service is stopping and takes no new requests.' },
} as const satisfies Record<string, GateProblem>;

export type GateProblemId = keyof typeof gateProblems;

/** A gate's no: which problem, what exactly is wrong, and headers the answer needs (Allow, WWW-Authenticate). */
export interface Refusal {
  readonly problem: GateProblemId;
  readonly detail?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** What a guard says of a request: undefined lets it pass. */
export type Verdict = Refusal | undefined;

/** The problem of a refusal, ready for `sendProblem`. */
export function gateProblem(id: GateProblemId, detail?: string): Problem {
  const { status, title, text } = gateProblems[id];
  return { id, status, title, detail: detail ?? text };
}

/** Answers with a gate's refusal. Returns false when an answer had begun already. */
export function sendRefusal(res: ServerResponse, refusal: Refusal): boolean {
  return sendProblem(res, gateProblem(refusal.problem, refusal.detail), refusal.headers);
}
