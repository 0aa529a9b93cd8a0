import type { Response } from 'express';
import type { Json, Success } from '../contract/outcome.ts';

/** The successful result of an operation. The body is a value, JSON text or undefined. */
export type Answer = Success<number, object | Json<unknown> | undefined>;

/** Sends a success response. The response must not be cached, because the state of the service may change at any time. */
export function sendAnswer(res: Response, { status, body }: Answer): void {
  if (body === undefined) {
    res.writeHead(status, { 'Cache-Control': 'no-store' }).end();
    return;
  }
  const text = 'json' in body && typeof body.json === 'string' ? body.json : JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}
