import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Header } from './odd-values.ts';
import type { Operation } from './operations.ts';

export interface WireRequest {
  /** The operation that the request calls. Undefined if the method or path was altered. */
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
}

export interface FuzzResponse {
  /** The HTTP status, or 0 if there was no response. In that case, `text` contains the reason. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Empty for an event stream, which the client does not read. */
  readonly text: string;
}

const REQUEST_TIMEOUT_MS = 30_000;

/** Creates a client with persistent connections. If there is no response, the client's promise resolves with status 0. */
export function createClient(url: string): (request: WireRequest) => Promise<FuzzResponse> {
  const { hostname, port, host } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return async ({ method, target, headers, body }) => {
    // Use a flat list of headers, so that a header can occur twice. Add Host and Content-Length, because Node does not add them to a list.
    const ownHost = headers.some(([name]) => name === 'Host') ? [] : ['Host', host];
    const length = body ? ['Content-Length', String(body.length)] : [];
    const wireHeaders = [...ownHost, ...headers.flat(), ...length];
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request({ agent, hostname, port, method, path: target, headers: wireHeaders, timeout: REQUEST_TIMEOUT_MS }, resolve);
        sent.on('timeout', () => sent.destroy(new Error(`no response within ${REQUEST_TIMEOUT_MS} ms`)));
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
