import { type IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import type { Fingerprint } from '../clock/fingerprint.ts';
import { type GateId, gates } from '../contract/generated/gates.ts';
import type { Executor } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import { ForwardedResponse } from './forwarded-response.ts';
import type { Journal } from './journal.ts';
import type { KeptBody } from './kept-body.ts';
import { observeWrites } from './observed-writes.ts';
import { type CalledApi, type Conclusion, createRequestBody, type OpenedConnection, RequestRecord } from './request-record.ts';

/** A request that the HTTP server refused, usually before the app received it. */
export interface RefusedRequest {
  readonly traceId: string;
  readonly gate: GateId;
  readonly res?: ServerResponse | undefined;
  /** Undefined, like `target`, if the request could not be parsed. */
  readonly method?: string | undefined;
  readonly target?: string | undefined;
}

interface RecorderOptions {
  readonly journal: Pick<Journal, 'add' | 'addInTransaction'>;
  readonly fingerprint: Fingerprint;
  /** Kit time. */
  readonly now: () => number;
  readonly getTraceId: (req: IncomingMessage) => string;
}

interface DecidedResponse {
  readonly conclusion?: Conclusion | undefined;
  readonly status: number | undefined;
  readonly body?: string | Uint8Array | undefined;
}

/** A request that is being handled. `at` is kit time, `startedAt` a `performance.now()` value. */
interface Handling {
  readonly door: CalledApi;
  readonly at: number;
  readonly startedAt: number;
  conclusion: Conclusion | undefined;
  body: KeptBody | undefined;
  forwarded?: ForwardedResponse;
  isInJournal: boolean;
}

const HANDLING = Symbol('handling');
const CONNECTION = Symbol('connection');
type WithConnection = Duplex & { [CONNECTION]?: OpenedConnection };
type Handled<Message> = Message & { [HANDLING]?: Handling };

export type Recorder = ReturnType<typeof createRecorder>;

/**
 * Records requests, except to the control API and the console. `recordEnd` and similar functions read the handling from `this`, because
 * closures for each request would be slower.
 */
export function createRecorder({ journal, fingerprint, now, getTraceId }: RecorderOptions) {
  let connections = 0;

  function createRecord(res: Response, handling: Handling, response: DecidedResponse): RequestRecord {
    const { req } = res;
    const { door, at, startedAt, body: requestBody, forwarded } = handling;
    const { conclusion, status, body: responseBody } = response;
    const facts = {
      traceId: getTraceId(req),
      at,
      startedAt,
      endedAt: performance.now(),
      door,
      connection: (req.socket as WithConnection)[CONNECTION],
      method: req.method,
      route: (req.route as { path?: string } | undefined)?.path,
      status,
      conclusion,
    };
    const request = { target: req.originalUrl, headers: req.headers, requestBody };
    // What a target sent before it cut the connection is not its response.
    if (forwarded) return new RequestRecord(facts, { ...request, ...(status !== undefined && { forwarded }) }, fingerprint);
    const location = status !== undefined && status >= 300 && status < 400 ? String(res.getHeader('location')) : undefined;
    return new RequestRecord(facts, { ...request, responseBody, location }, fingerprint);
  }

  function finish(res: Response, handling: Handling, response: DecidedResponse): void {
    handling.isInJournal = true;
    journal.add(createRecord(res, handling, response));
  }

  function finishWithoutResponse(res: Response, handling: Handling): void {
    finish(res, handling, { status: undefined, conclusion: { cause: handling.conclusion?.cause, token: handling.conclusion?.token } });
  }

  /** Replaces `res.end`, to which the app always passes the whole response body. */
  function recordEnd(this: Handled<Response>, ...given: unknown[]): ServerResponse {
    const handling = this[HANDLING];
    if (handling?.isInJournal === false) {
      handling.forwarded?.end();
      finish(this, handling, { conclusion: handling.conclusion, status: this.statusCode, body: toBody(given[0]) });
    }
    return Reflect.apply(ServerResponse.prototype.end, this, given) as ServerResponse;
  }

  function recordClose(this: Handled<Response>): void {
    const handling = this[HANDLING];
    if (handling?.isInJournal === false) finishWithoutResponse(this, handling);
    handling?.body?.settle();
  }

  /** @returns a function to call when the transaction has ended */
  async function storeInTransaction(
    tx: Executor,
    res: Handled<Response>,
    response: DecidedResponse,
  ): Promise<(committed: boolean) => void> {
    const handling = res[HANDLING];
    // If the client has disconnected, the journal already contains the entry.
    if (handling?.isInJournal !== false) return () => {};
    handling.isInJournal = true;
    const withdraw = () => {
      handling.isInJournal = false;
      // If the client has disconnected meanwhile, no response follows.
      if (res.destroyed) finishWithoutResponse(res, handling);
    };
    const end = await journal.addInTransaction!(tx, createRecord(res, handling, response)).catch((error: unknown) => {
      withdraw();
      throw error;
    });
    return (committed) => {
      if (!committed) withdraw();
      end(committed);
    };
  }

  return {
    assignConnectionNumber(socket: WithConnection): void {
      socket[CONNECTION] = { number: ++connections, openedAt: performance.now() };
    },

    /** Must be the app's first middleware. */
    recordRequest(req: Request, res: Response, next: NextFunction) {
      const door = getCalledApi(req.originalUrl);
      if (door === 'control' || isPreflight(req)) return next();
      const handling: Handling = {
        door,
        at: now(),
        startedAt: performance.now(),
        conclusion: undefined,
        body: undefined,
        isInJournal: false,
      };
      (res as Handled<Response>)[HANDLING] = handling;
      res.end = recordEnd as typeof res.end;
      res.on('close', recordClose);
      if ((req.headers['content-length'] ?? '0') !== '0' || req.headers['transfer-encoding'] !== undefined) {
        handling.body = createRequestBody(req.headers, door);
        (req as Handled<Request>)[HANDLING] = handling;
        req.push = recordChunk;
      }
      next();
    },

    /** Call this function before the response is sent. */
    conclude(res: Handled<ServerResponse>, conclusion: Conclusion): void {
      const handling = res[HANDLING];
      if (handling) handling.conclusion = conclusion;
    },

    /**
     * Records a response that is written in parts. Call this function after its headers, before its body.
     * @param headers a list: name, value, name, value
     */
    recordForwarded(res: Handled<Response>, headers: readonly string[]): void {
      const handling = res[HANDLING];
      if (handling === undefined) return;
      handling.forwarded = new ForwardedResponse(headers, res.req.headers);
      handling.conclusion = { step: 'forward' };
      res.write = recordWrite as typeof res.write;
    },

    /**
     * Returns a store whose transactions also store the journal entry, with the response that is about to be sent. Undefined if replicas do
     * not share the journal.
     * @param decide returns the response for the transaction's result, or undefined if the entry is stored later
     */
    withEntry:
      journal.addInTransaction &&
      (<Result>(store: Store, res: ServerResponse, decide: (result: Result) => DecidedResponse | undefined): Store =>
        observeWrites(store, async (tx, result) => {
          const response = decide(result as Result);
          return response && storeInTransaction(tx, res as Response, response);
        })),

    recordRefusal({ traceId, gate, res, method, target }: RefusedRequest): void {
      // The middleware already records this request.
      if ((res as Handled<ServerResponse> | undefined)?.[HANDLING]) return;
      const door = getCalledApi(target ?? '');
      if (method === undefined || target === undefined || door === 'control') return;
      const startedAt = performance.now();
      const { status, title } = gates[gate];
      const problem = { type: `/problems/${gate}`, title };
      const facts = { traceId, at: now(), startedAt, endedAt: startedAt, door, method, status, problem };
      journal.add(new RequestRecord(facts, { target: target.replace(ABSOLUTE_FORM_PATTERN, ''), headers: {} }, fingerprint));
    },
  };
}

function recordWrite(this: Handled<Response>, ...given: unknown[]): boolean {
  this[HANDLING]?.forwarded?.add(given[0] as Uint8Array);
  return Reflect.apply(ServerResponse.prototype.write, this, given) as boolean;
}

/** Replaces `req.push`, because a 'data' listener would take the chunks from the body parser. */
function recordChunk(this: Handled<Request>, chunk: unknown, encoding?: BufferEncoding): boolean {
  if (chunk instanceof Uint8Array) this[HANDLING]?.body?.add(chunk);
  return Readable.prototype.push.call(this, chunk, encoding);
}

const ABSOLUTE_FORM_PATTERN = /^https?:\/\/[^/?#]*/i;

function getCalledApi(target: string): CalledApi {
  const path = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM_PATTERN, '');
  if (path.startsWith('/_control') || path.startsWith('/_console')) return 'control';
  return path.startsWith('/auth/') || path.startsWith('/.well-known/') ? 'authorization' : 'service';
}

const isPreflight = (req: Request): boolean => req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;

function toBody(chunk: unknown): string | Uint8Array | undefined {
  return typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : undefined;
}
