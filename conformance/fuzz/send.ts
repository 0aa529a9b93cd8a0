import { Agent, type IncomingMessage, request } from 'node:http';
import type { FuzzRequest } from './request.ts';

export interface FuzzResponse {
  /** 0 where no answer came: then `text` says why. */
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface Client {
  send(request: FuzzRequest): Promise<FuzzResponse>;
  /** How many were sent, shrinking and repeats included. */
  readonly issued: number;
  close(): void;
}

const PATIENCE_MS = 20_000;

/** A client of one origin over connections that stay open. It never rejects: no answer is an answer of status 0. */
export function createClient(url: string, connections: number): Client {
  const { hostname, port, host } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let issued = 0;

  function send({ method, target, headers, body }: FuzzRequest): Promise<FuzzResponse> {
    issued++;
    return new Promise((resolve) => {
      const none = (why: string) => resolve({ status: 0, headers: {}, text: why });
      const req = request(
        { agent, hostname, port, method, path: target, headers: wireHeaders(host, headers, body), timeout: PATIENCE_MS },
        (res) => {
          const parts: Buffer[] = [];
          res.on('data', (part: Buffer) => parts.push(part));
          res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(parts).toString() }));
          res.on('error', (error) => none(`the answer broke off: ${error.message}`));
        },
      );
      req.on('timeout', () => req.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)));
      req.on('error', (error) => none(error.message));
      req.end(body);
    });
  }

  return {
    send,
    get issued() {
      return issued;
    },
    close: () => agent.destroy(),
  };
}

/** As a flat list, so that a header may come twice; Node then adds neither Host nor length. */
function wireHeaders(host: string, headers: FuzzRequest['headers'], body: Buffer | undefined): string[] {
  const own = headers.some(([name]) => name === 'Host') ? [] : ['Host', host];
  return [...own, ...headers.flat(), ...(body ? ['Content-Length', String(body.length)] : [])];
}
