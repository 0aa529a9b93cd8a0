import type { Request, Response } from 'express';
import { createGateFailure, type GateFailure } from '../contract/failure.ts';
import type { Relay } from '../events/relay.ts';
import { allowAnyOrigin } from '../http/any-origin.ts';
import { sendFailure } from '../http/problem.ts';
import { joinHeaders } from '../journal/forwarded-response.ts';
import type { Recorder } from '../journal/recorder.ts';
import { selectForwarded } from './headers.ts';

const MAX_BODY_BYTES = 1_000_000;

interface RelayOptions {
  readonly relay: Relay;
  readonly recorder: Pick<Recorder, 'conclude' | 'recordForwarded'>;
  readonly timeoutMs: number;
}

/** Passes a delivery to the receiver's listener, and the listener's answer back. Never rejects. */
export async function relayDelivery(
  req: Request,
  res: Response,
  name: string,
  { relay, recorder, timeoutMs }: RelayOptions,
): Promise<void> {
  const refuse = (failure: GateFailure) => {
    recorder.conclude(res, { cause: { asker: undefined, failure, evidence: undefined } });
    allowAnyOrigin(res);
    sendFailure(res, failure);
  };
  const body = await readBody(req);
  if (res.destroyed) return;
  if (body === undefined) return refuse(createGateFailure('http.body-too-large'));
  const result = await relay.deliver(name, joinHeaders(selectForwarded(req.rawHeaders, 'request')), body, timeoutMs);
  if (res.destroyed) return;
  if (result === undefined || 'error' in result) {
    const reason = result?.error ?? 'the listener has disconnected';
    return refuse(
      createGateFailure(reason.startsWith('timeout') ? 'proxy.timeout' : 'proxy.unreachable', `No answer from xpk listen: ${reason}.`),
    );
  }
  const headers = result.retryAfter === undefined ? [] : ['Retry-After', result.retryAfter];
  res.writeHead(result.status, headers);
  recorder.recordForwarded(res, headers);
  res.end();
}

/** @returns undefined if the body is too large, or if the client has disconnected */
async function readBody(req: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Also the rest of a body that is too large is read, because the connection would end before the answer otherwise.
    for await (const chunk of req as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks);
}
