import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import { instanceOf } from './instance.ts';
import { traceIdOf } from './trace.ts';

/** One entry of `errors`: `pointer` is a JSON pointer into the body (or names the parameter), `message` a sentence. */
export interface ProblemError {
  readonly pointer: string;
  readonly message: string;
}

/** What a problem says, before it knows which request it answers. `id` is a rule id or a gate's; `status` the HTTP status. */
export interface Problem {
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly errors?: readonly ProblemError[] | undefined;
}

/** The body as it is sent (specification: Resources and their fields › Problem details). */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string | undefined;
  readonly instance?: string | undefined;
  readonly traceId: string;
  readonly errors?: readonly ProblemError[] | undefined;
}

const MEDIA_TYPE = 'application/problem+json';

// Headers that described the answer the problem replaces. CORS, Allow, Retry-After and WWW-Authenticate stay.
const STALE = [
  'Content-Encoding',
  'Content-Language',
  'Content-Range',
  'ETag',
  'Last-Modified',
  'Location',
  'Trailer',
  'Transfer-Encoding',
];

export function problemBody(problem: Problem, traceId: string, instance?: string): ProblemBody {
  // JSON.stringify leaves undefined members out.
  return {
    type: `/problems/${problem.id}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance,
    traceId,
    errors: problem.errors,
  };
}

/**
 * Answers with the problem. The trace id and `instance` come from the request. Does nothing and returns false when an answer has
 * begun already or the client is gone.
 */
export function sendProblem(res: ServerResponse, problem: Problem, headers: OutgoingHttpHeaders = {}): boolean {
  if (res.headersSent || res.writableEnded || res.destroyed) return false;
  const req = res.req as IncomingMessage & { originalUrl?: string };
  const target = req.originalUrl ?? req.url ?? '/';
  const text = Buffer.from(JSON.stringify(problemBody(problem, traceIdOf(req), instanceOf(target))));
  for (const name of STALE) res.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
  res.statusCode = problem.status;
  res.statusMessage = STATUS_CODES[problem.status] ?? '';
  res.setHeader('Content-Type', MEDIA_TYPE);
  res.setHeader('Content-Length', text.length);
  res.setHeader('Cache-Control', 'no-store');
  if (req.method === 'HEAD') res.end();
  else res.end(text);
  return true;
}

/** The whole HTTP/1.1 answer as text, for a socket on which no request could be read. It always closes the connection. */
export function problemText(problem: Problem, traceId: string, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(problemBody(problem, traceId));
  const lines = {
    Date: new Date().toUTCString(),
    'Content-Type': MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    ...headers,
    Connection: 'close',
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}\r\n${head.join('')}\r\n${text}`;
}
