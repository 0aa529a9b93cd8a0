import type { Response } from 'express';
import type { Json, Success } from '../contract/outcome.ts';

export type SuccessResponse = Success<number, object | Json<unknown> | undefined>;

export function toBodyText({ body }: SuccessResponse): string | undefined {
  if (body === undefined) return undefined;
  return 'json' in body && typeof body.json === 'string' ? body.json : JSON.stringify(body);
}

/** @param headers a list: name, value, name, value */
export function sendSuccess(res: Response, response: SuccessResponse, headers: readonly string[] = []): void {
  const { status } = response;
  const text = toBodyText(response);
  if (text === undefined) {
    res.writeHead(status, [...headers, 'Cache-Control', 'no-store']).end();
    return;
  }
  const length = Buffer.byteLength(text);
  // Headers in an array are faster, because Node sends them without storing them.
  const content = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length), 'Cache-Control', 'no-store'];
  res.writeHead(status, [...headers, ...content]);
  // For ASCII text, Latin-1 is faster, because Node does not compute the byte length again.
  res.end(text, length === text.length ? 'latin1' : 'utf8');
}
