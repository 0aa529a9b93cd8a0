import { type IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import type { NextFunction, Request, Response } from 'express';
import type { Fingerprint } from '../clock/fingerprint.ts';
import type { ResponseCause } from '../contract/failure.ts';
import { type GateId, gates } from '../contract/generated/gates.ts';
import type { Executor } from '../store/engine.ts';
import type { Journal } from './journal.ts';
import { type CalledApi, type OpenedConnection, Recording } from './recording.ts';

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
  readonly journal: Journal;
  readonly fingerprint: Fingerprint;
  /** Kit time. */
  readonly now: () => number;
  readonly getTraceId: (req: IncomingMessage) => string;
}

interface DecidedResponse {
  readonly step?: string;
  readonly token?: Recording['token'];
  readonly status: number;
  readonly body: string | undefined;
}

const RECORDING_SYMBOL = Symbol('recording');
const CONNECTION_SYMBOL = Symbol('connection');
type WithConnection = Duplex & { [CONNECTION_SYMBOL]?: OpenedConnection };
type WithRecording<Message> = Message & { [RECORDING_SYMBOL]?: Recording };

/**
 * Records requests, except to the control API and the console. `recordEnd` and similar functions read the recording from `this`, because
 * closures for each request would be slower.
 */
export function createRecorder({ journal, fingerprint, now, getTraceId: traceIdOf }: RecorderOptions) {
  let connections = 0;

  function finishRecording(recording: Recording, req: Request, status?: number, body?: string | Uint8Array): void {
    recording.route = (req.route as { path?: string } | undefined)?.path;
    recording.endResponse(status, body, performance.now());
    journal.add(recording);
  }

  /** Replaces `res.end`, to which the app always passes the whole response body. */
  function recordEnd(this: WithRecording<Response>, ...given: unknown[]): ServerResponse {
    const [body] = given;
    const recording = this[RECORDING_SYMBOL];
    if (recording?.isInJournal === false) {
      if (recording.door === 'authorization' && isRedirect(this)) recording.recordRedirect(String(this.getHeader('location')));
      finishRecording(recording, this.req, this.statusCode, toBody(body));
    }
    return Reflect.apply(ServerResponse.prototype.end, this, given) as ServerResponse;
  }

  function recordClose(this: WithRecording<Response>): void {
    const recording = this[RECORDING_SYMBOL];
    if (recording?.isInJournal === false) finishRecording(recording, this.req);
    recording?.completeRequest();
  }

  return {
    assignConnectionNumber(socket: WithConnection): void {
      socket[CONNECTION_SYMBOL] = { number: ++connections, openedAt: performance.now() };
    },

    /** Must be the app's first middleware. */
    recordRequest(req: Request, res: Response, next: NextFunction) {
      const door = getCalledApi(req.originalUrl);
      if (door === 'control' || isPreflight(req)) return next();
      const recording = new Recording(
        {
          traceId: traceIdOf(req),
          at: now(),
          startedAt: performance.now(),
          door,
          method: req.method,
          target: req.originalUrl,
          headers: req.headers,
          connection: (req.socket as WithConnection)[CONNECTION_SYMBOL],
        },
        fingerprint,
      );
      (res as WithRecording<Response>)[RECORDING_SYMBOL] = recording;
      res.end = recordEnd as typeof res.end;
      res.on('close', recordClose);
      if ((req.headers['content-length'] ?? '0') !== '0' || req.headers['transfer-encoding'] !== undefined) {
        (req as WithRecording<Request>)[RECORDING_SYMBOL] = recording;
        req.push = recordChunk;
      }
      next();
    },

    /** Call before or immediately after sending the response. */
    recordStep(res: WithRecording<Response>, step: string, token: Recording['token']): void {
      const recording = res[RECORDING_SYMBOL];
      if (!recording) return;
      recording.step = step;
      recording.token = token;
    },

    /** @returns a function to call when the transaction has ended */
    async storeInTransaction(
      tx: Executor,
      res: WithRecording<Response>,
      { step, token, status, body }: DecidedResponse,
    ): Promise<(committed: boolean) => void> {
      const recording = res[RECORDING_SYMBOL];
      // If the client has disconnected, the journal already contains the entry.
      if (!journal.addInTransaction || recording?.isInJournal !== false) return () => {};
      recording.step = step;
      recording.token = token;
      recording.route = (res.req.route as { path?: string } | undefined)?.path;
      const undo = recording.prepareUndo();
      if (recording.door === 'authorization' && isRedirect(res)) recording.recordRedirect(String(res.getHeader('location')));
      // From now on, `recordClose` adds no second entry.
      recording.endResponse(status, body, performance.now());
      const withdraw = () => {
        recording.isInJournal = false;
        undo();
        // If the client has disconnected meanwhile, no response follows.
        if (res.destroyed) finishRecording(recording, res.req);
      };
      const end = await journal.addInTransaction(tx, recording).catch((error: unknown) => {
        withdraw();
        throw error;
      });
      return (committed) => {
        if (!committed) withdraw();
        end(committed);
      };
    },

    setCause(res: WithRecording<Response>, cause: ResponseCause): void {
      const recording = res[RECORDING_SYMBOL];
      if (recording) recording.cause = cause;
    },

    recordRefusal({ traceId, gate, res, method, target }: RefusedRequest): void {
      // The middleware already records this request.
      if ((res as WithRecording<ServerResponse> | undefined)?.[RECORDING_SYMBOL]) return;
      const door = getCalledApi(target ?? '');
      if (method === undefined || target === undefined || door === 'control') return;
      const startedAt = performance.now();
      const start = { traceId, at: now(), startedAt, door, method, target: target.replace(ABSOLUTE_FORM_PATTERN, ''), headers: {} };
      const recording = new Recording(start, fingerprint);
      const { status, title } = gates[gate];
      recording.problem = { type: `/problems/${gate}`, title };
      recording.endResponse(status, undefined, startedAt);
      journal.add(recording);
    },
  };
}

/** Replaces `req.push`, because a 'data' listener would take the chunks from the body parser. */
function recordChunk(this: WithRecording<Request>, chunk: unknown, encoding?: BufferEncoding): boolean {
  if (chunk instanceof Uint8Array) this[RECORDING_SYMBOL]?.addRequestChunk(chunk as Buffer);
  return Readable.prototype.push.call(this, chunk, encoding);
}

const ABSOLUTE_FORM_PATTERN = /^https?:\/\/[^/?#]*/i;

function getCalledApi(target: string): CalledApi {
  const path = target.startsWith('/') ? target : target.replace(ABSOLUTE_FORM_PATTERN, '');
  if (path.startsWith('/_control') || path.startsWith('/_console')) return 'control';
  return path.startsWith('/auth/') || path.startsWith('/.well-known/') ? 'authorization' : 'service';
}

const isPreflight = (req: Request): boolean => req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;

const isRedirect = ({ statusCode }: Response): boolean => statusCode >= 300 && statusCode < 400;

function toBody(chunk: unknown): string | Uint8Array | undefined {
  return typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : undefined;
}
