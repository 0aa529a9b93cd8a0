import type { Response } from 'express';
import type { Json, Success } from '../contract/outcome.ts';

/** A success of any operation: its body as a value, as text that exists already, or none. */
export type Answer = Success<number, object | Json<unknown> | undefined>;

/** Writes a success. `Cache-Control: no-store`: what the service answers is only true now. */
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
