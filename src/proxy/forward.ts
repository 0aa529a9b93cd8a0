import { PassThrough } from 'node:stream';
import type { Request, Response } from 'express';
import { Agent, type Dispatcher, errors } from 'undici';
import type { GateFailure } from '../contract/failure.ts';
import { allowAnyOrigin } from '../http/any-origin.ts';
import { sendFailure } from '../http/problem.ts';
import type { Recorder } from '../journal/recorder.ts';
import { describeCut, describeError } from './describe-error.ts';
import { selectForwarded } from './headers.ts';
import type { Target, Upstream } from './upstream.ts';

/** Node refuses to send other reason phrases. */
const PRINTABLE = /^[ -~]+$/;

/** Forwards requests to targets over connections that stay open. Bodies are never kept, except what the journal keeps. */
export function createForwarder({ timeoutMs, insecure }: Upstream, recorder: Pick<Recorder, 'conclude' | 'recordForwarded'>) {
  const agent = new Agent({
    connect: { timeout: timeoutMs, rejectUnauthorized: !insecure },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    allowH2: false, // With HTTP/2, a response that is cut off would leave the connection open.
  });

  return {
    /**
     * Sends a request to a target, and the target's response to the client. Never rejects.
     * @param path the path at the target, with its query
     */
    forward(req: Request, res: Response, { origin, path: basePath }: Target, path: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      let controller: Dispatcher.DispatchController | undefined;
      let isOver = false;
      const abort = () => controller?.abort(new errors.RequestAbortedError());
      res.once('close', () => {
        if (!isOver) abort();
        resolve();
      });

      const refuse = (failure: GateFailure) => recorder.conclude(res, { cause: { asker: undefined, failure, evidence: undefined } });
      const fail = (error: Error) => {
        isOver = true;
        if (res.destroyed || res.writableEnded) return;
        if (res.headersSent) {
          refuse(describeCut(error, origin, res.statusCode));
          // Ending the response would make a part of it look complete.
          res.destroy();
          return;
        }
        const failure = describeError(error, origin, timeoutMs);
        refuse(failure);
        allowAnyOrigin(res);
        sendFailure(res, failure);
      };

      const handler: Dispatcher.DispatchHandler = {
        onRequestStart(started) {
          controller = started;
          if (res.destroyed) abort();
        },
        onResponseStart(started, status, _, text) {
          // A status from 100 to 199 is informational, and the final response follows.
          if (status < 200) return;
          // The server has refused the rest of the request's body.
          if (res.headersSent) return abort();
          const headers = selectForwarded(
            (started.rawHeaders as Buffer[]).map((each) => each.toString('latin1')),
            'response',
          );
          res.writeHead(status, PRINTABLE.test(text ?? '') ? text! : '', headers);
          recorder.recordForwarded(res, headers);
          res.on('drain', () => started.resume());
          // The first part of the body usually follows at once, and can be sent with the headers.
          setImmediate(() => res.destroyed || res.writableEnded || res.flushHeaders());
        },
        onResponseData(started, chunk) {
          if (!res.write(chunk)) started.pause();
        },
        onResponseEnd() {
          isOver = true;
          res.end();
        },
        onResponseError: (_, error) => fail(error),
      };
      const request = {
        method: req.method,
        origin,
        path: basePath + path,
        headers: selectForwarded(req.rawHeaders, 'request'),
        body: openBody(req),
      };
      try {
        if (!res.destroyed) agent.dispatch(request, handler);
      } catch (error) {
        fail(error as Error);
      }
      if (res.destroyed) resolve();
      return promise;
    },
    close: () => agent.destroy(),
  };
}

/** Returns a stream of its own, because undici destroys the body if the target fails, which would close the client's connection. */
function openBody(req: Request): PassThrough | null {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers;
  if (length === '0' && coding === undefined) return null;
  const body = req.pipe(new PassThrough());
  // The rest of a body that the target does not want is read and dropped, so that the client gets the response. Before, `pipe` has paused it.
  return body.once('close', () => req.resume());
}
