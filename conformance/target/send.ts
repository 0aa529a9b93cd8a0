import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { LimitedBody } from '../../src/contract/limited-body.ts';
import type { Answer } from '../../src/expect/answer.ts';

export interface Content {
  /** The bearer token. Absent: the request has no Authorization header. */
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** The text to send instead of `body`. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface SendSettings {
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxBytes?: number;
}

export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/**
 * Sends one request without following redirects. Repeats the request if the server closes a reused connection before the response.
 * @throws NoResponse if there is no complete response in time, or if its body is too large
 */
export function send(method: string, url: string, content: Content, settings: SendSettings): Promise<Answer> {
  const { token, body, rawBody, headers } = content;
  const requestBody = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const requestHeaders: Record<string, string> = {
    accept: 'application/json, application/problem+json',
    ...(requestBody !== undefined && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(requestBody)) }),
    ...settings.headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...headers,
  };
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: requestHeaders }, (response) => {
      readText(response, settings.maxBytes).then((text) => {
        clearTimeout(deadline);
        const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ method, url, requestHeaders, requestBody, status: response.statusCode ?? 0, headers: flat, text, json: parse(text) });
      }, fail);
    });
    // Use a timer, because an AbortSignal would cost as much as the request itself.
    const deadline = setTimeout(() => {
      const late = new Error(`there was no complete response within ${settings.timeoutMs} ms`);
      sent.destroy(late);
      // `destroy` emits the error, except after the server has switched protocols (101).
      fail(late);
    }, settings.timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(deadline);
      reject(new NoResponse(`${method} ${url}: ${error.message}`));
    };
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (!sent.reusedSocket || error.code !== 'ECONNRESET') return fail(error);
      clearTimeout(deadline);
      resolve(send(method, url, content, settings));
    });
    sent.end(requestBody);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads a request or response body, without an async iterator, which would double the request's cost.
 * @throws Error if the body is truncated or too large
 */
export function readText(message: IncomingMessage, maxBytes?: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = new LimitedBody(maxBytes);
    message.on('data', (chunk: Buffer) => {
      try {
        body.add(chunk);
      } catch (error) {
        message.destroy(error as Error);
      }
    });
    message.on('error', reject);
    message.on('end', () => resolve(body.read().toString()));
  });
}
