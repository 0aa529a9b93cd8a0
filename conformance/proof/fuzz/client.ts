import { Agent, type IncomingMessage, request } from 'node:http';
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
  readonly text: string;
}

export interface Client {
  /** Never rejects. Closes an event stream as soon as it has begun. */
  send(request: WireRequest): Promise<FuzzResponse>;
  close(): void;
}

const TIMEOUT_MS = 30_000;

/** A client of one origin that keeps its connections open. */
export function createClient(url: string, connections: number): Client {
  const { hostname, port, host } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function send({ method, target, headers, body }: WireRequest): Promise<FuzzResponse> {
    return new Promise((resolve) => {
      const none = (why: string) => resolve({ status: 0, headers: {}, text: why });
      const options = { agent, hostname, port, method, path: target, headers: wireHeaders(host, headers, body), timeout: TIMEOUT_MS };
      const req = request(options, (res) => {
        const { statusCode: status = 0, headers } = res;
        const parts: Buffer[] = [];
        if (status === 200 && headers['content-type']?.startsWith('text/event-stream')) {
          resolve({ status, headers, text: '' });
          res.destroy();
        }
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () => resolve({ status, headers, text: Buffer.concat(parts).toString() }));
        res.on('error', (error) => none(`the response broke off: ${error.message}`));
      });
      req.on('timeout', () => req.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
      req.on('error', (error) => none(error.message));
      req.end(body);
    });
  }
  return { send, close: () => agent.destroy() };
}

/** A flat list may have a header twice. With it Node adds neither Host nor Content-Length. */
function wireHeaders(host: string, headers: WireRequest['headers'], body: Buffer | undefined): string[] {
  const own = headers.some(([name]) => name === 'Host') ? [] : ['Host', host];
  return [...own, ...headers.flat(), ...(body ? ['Content-Length', String(body.length)] : [])];
}
