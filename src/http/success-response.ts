import type { Response } from 'express';
import type { Json, Success } from '../contract/outcome.ts';

/** The successful result of an operation. The body is a value, JSON text or undefined. */
export type Answer = Success<number, object | Json<unknown> | undefined>;

/** Returns the body of a response as text. */
export function textOf({ body }: Answer): string | undefined {
  if (body === undefined) return undefined;
  return 'json' in body && typeof body.json === 'string' ? body.json : JSON.stringify(body);
}

/**
 * Sends a success response. The response must not be cached, because the state of the service may change at any time.
 * @param headers further headers: names and values in turn
 */
export function sendAnswer(res: Response, answer: Answer, headers: readonly string[] = []): void {
  const { status } = answer;
  const text = textOf(answer);
  if (text === undefined) {
    res.writeHead(status, [...headers, 'Cache-Control', 'no-store']).end();
    return;
  }
  const length = Buffer.byteLength(text);
  // Node sends an array without first storing each header, unless headers were set before.
  const content = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length), 'Cache-Control', 'no-store'];
  res.writeHead(status, [...headers, ...content]);
  // ASCII text is the same in both encodings. Node sends Latin-1 without counting its bytes again.
  res.end(text, length === text.length ? 'latin1' : 'utf8');
}
