import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Failure, FieldError } from '../contract/failure.ts';
import type { DecisionId, Decisions } from '../contract/generated/decisions.ts';
import { type GateId, gates } from '../contract/generated/gates.ts';
import { getVisiblePrefix } from '../contract/world-url.ts';
import { getTraceId } from './trace.ts';

/** A problem document without the members that depend on the request. */
export interface Problem {
  /** The id of a rule, decision or gate. */
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
}

/** A problem document (specification: Resources and their fields › Problem details). */
interface ProblemBody extends Omit<Problem, 'id'> {
  readonly type: string;
  readonly instance?: string | undefined;
  readonly traceId: string;
}

const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** @param decisions all decisions; needed only if the failure's reason is a decision */
export function toProblem({ reason: id, status: ownStatus, detail, errors }: Failure, decisions?: Decisions): Problem {
  if (ownStatus === undefined && Object.hasOwn(gates, id)) {
    const { status, title } = gates[id as GateId];
    return { id, status, title, detail, errors };
  }
  const status = ownStatus ?? decisions?.[id as DecisionId];
  if (typeof status !== 'number') throw new Error(`The value of the decision ${id} must be an HTTP status, not ${status}.`);
  return { id, status, title: STATUS_CODES[status] ?? 'Refused', detail, errors };
}

function createProblemBody({ id, title, status, detail, errors }: Problem, traceId: string, instance?: string): ProblemBody {
  return { type: `/problems/${id}`, title, status, detail, instance, traceId, errors };
}

// Characters that RFC 3986 does not allow in a path, and percent signs without two digits.
const INVALID_PATH_CHARACTERS = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/g;
const ABSOLUTE_FORM = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** Each character is one byte, because Node decodes the target as latin1. */
function encodePath(path: string): string {
  return path.replace(INVALID_PATH_CHARACTERS, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

export function toInstancePath(target: string): string {
  const relative = target.replace(ABSOLUTE_FORM, '');
  const end = relative.search(/[?#]/);
  const path = encodePath(end === -1 ? relative : relative.slice(0, end));
  // `//host/x` would point to another host, but `/.//host/x` points to the path `//host/x` on this server.
  if (path.startsWith('//')) return `/.${path}`;
  return path === '' ? '/' : path;
}

/** @returns whether the response was sent */
export function sendProblem(res: ServerResponse, problem: Problem, headers: Readonly<Record<string, string>> = {}): boolean {
  if (res.headersSent || res.writableEnded || res.destroyed) return false;
  const req = res.req as IncomingMessage & { originalUrl?: string; app?: { locals: { hasConsole?: boolean; prefix?: string } } };
  const target = req.originalUrl ?? req.url ?? '/';
  const { hasConsole = false, prefix: ownPrefix = '' } = req.app?.locals ?? {};
  const prefix = getVisiblePrefix(req.headers.host, ownPrefix);
  const traceId = getTraceId(req);
  const text = Buffer.from(JSON.stringify(createProblemBody(problem, traceId, toInstancePath(prefix + target))));
  // Control API requests are not in the journal.
  if (hasConsole && !target.startsWith('/_con')) res.setHeader('Link', `<${prefix}/_console/requests/${traceId}>; rel="help"`);
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.statusCode = problem.status;
  res.statusMessage = STATUS_CODES[problem.status] ?? '';
  res.setHeader('Content-Type', PROBLEM_MEDIA_TYPE);
  res.setHeader('Content-Length', text.length);
  res.setHeader('Cache-Control', 'no-store');
  if (req.method === 'HEAD') res.end();
  else res.end(text);
  return true;
}

export function sendFailure(res: ServerResponse, failure: Failure, decisions?: Decisions): boolean {
  return sendProblem(res, toProblem(failure, decisions), failure.headers);
}

/** Returns a complete HTTP/1.1 response with a problem document, for a socket without a parsed request. */
export function formatProblemResponse(problem: Problem, traceId: string, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(createProblemBody(problem, traceId));
  const lines = {
    Date: new Date().toUTCString(),
    'Content-Type': PROBLEM_MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
    Connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${head.join('')}\r\n${text}`;
}
