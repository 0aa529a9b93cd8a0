import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Header } from './odd.ts';
import type { Operation } from './operations.ts';

/** The request as it is sent. */
export interface WireRequest {
  /** Undefined if the method or path was changed, so that it may be of another operation or none. */
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
}

export interface FuzzResponse {
  /** 0 if there was no response; `text` is the reason. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Empty for an event stream. */
  readonly text: string;
}

const TIMEOUT_MS = 30_000;

/** Sends requests to one origin over connections that stay open. Never rejects. */
export function createClient(url: string): (request: WireRequest) => Promise<FuzzResponse> {
  const { hostname, port, host } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return async ({ method, target, headers, body }) => {
    // A flat list may have a header twice. With it Node adds neither Host nor Content-Length.
    const ownHost = headers.some(([name]) => name === 'Host') ? [] : ['Host', host];
    const length = body ? ['Content-Length', String(body.length)] : [];
    const wireHeaders = [...ownHost, ...headers.flat(), ...length];
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request({ agent, hostname, port, method, path: target, headers: wireHeaders, timeout: TIMEOUT_MS }, resolve);
        sent.on('timeout', () => sent.destroy(new Error(`nothing within ${TIMEOUT_MS} ms`)));
        sent.on('error', reject);
        sent.end(body);
      });
      const isStream = response.statusCode === 200 && response.headers['content-type']?.startsWith('text/event-stream');
      if (isStream) response.destroy();
      return { status: response.statusCode ?? 0, headers: response.headers, text: isStream ? '' : await text(response) };
    } catch (error) {
      return { status: 0, headers: {}, text: (error as Error).message };
    }
  };
}
