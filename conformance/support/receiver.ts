import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ownCertificate } from './own-certificate.ts';

/** A delivery as it came. */
export interface Delivery {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly json: unknown;
  /** When it was there as a whole, in milliseconds since 1970: of this machine's clock. */
  readonly at: number;
}

/**
 * How a delivery is answered: with a status, after a while, or not at all: `hang` keeps the connection open, `reset` breaks it. An answer that is `cut`
 * breaks off within its body.
 */
export type Reaction =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly afterMs?: number; readonly cut?: true }
  | 'hang'
  | 'reset';

/** An address that deliveries come to, and what came. */
export interface Mailbox {
  readonly url: string;
  /** Whether anything came to the receiver, to whatever address. */
  readonly isSilent: boolean;
  readonly deliveries: readonly Delivery[];
  /** How deliveries are answered from now on; undefined: with 204, which is how it begins. The last that is given is asked first. */
  answer(decide: (delivery: Delivery) => Reaction | undefined): void;
  /** Resolves at the next delivery, or after so many milliseconds. */
  next(ms: number): Promise<void>;
  /** What comes from now on is acknowledged and forgotten. */
  close(): void;
}

/** A server that deliveries are sent to. */
export interface Receiver {
  /** @param path where it is to be, as a subscription that was made beforehand says; else one that nobody guesses. */
  mailbox(path?: string): Mailbox;
  close(): Promise<void>;
}

export interface ReceiverSettings {
  /** Where it listens. */
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** How the target reaches it, without a slash at the end; absent: where it listens. */
  readonly publicUrl?: string | undefined;
  /** By https, with a certificate of its own. */
  readonly tls?: boolean;
}

interface Open {
  deliveries: Delivery[];
  decisions: ((delivery: Delivery) => Reaction | undefined)[];
  waiting: Set<() => void>;
}

/** Starts a receiver. @throws Error where it cannot listen there. */
export async function startReceiver({ host, port, publicUrl, tls = false }: ReceiverSettings): Promise<Receiver> {
  const open = new Map<string, Open>();
  let isSilent = true;
  const listener = (request: IncomingMessage, response: ServerResponse) => void receive(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(ownCertificate, listener) : createServer(listener);
  server.listen(port, host);
  await once(server, 'listening');
  const url = publicUrl ?? `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    isSilent = false;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const delivery = { method: request.method ?? '', headers, text, json: parsed(text), at: Date.now() };
    const box = open.get(new URL(request.url ?? '/', url).pathname);
    box?.deliveries.push(delivery);
    react(response, box?.decisions.map((decide) => decide(delivery)).find((reaction) => reaction !== undefined) ?? { status: 204 });
    for (const wake of box?.waiting ?? []) wake();
  }

  return {
    mailbox(path = `/${randomUUID()}`) {
      const box: Open = { deliveries: [], decisions: [], waiting: new Set() };
      open.set(path, box);
      return {
        url: `${url}${path}`,
        get isSilent() {
          return isSilent;
        },
        deliveries: box.deliveries,
        answer: (decide) => void box.decisions.unshift(decide),
        next: (ms) =>
          new Promise((resolve) => {
            const wake = () => {
              clearTimeout(timer);
              box.waiting.delete(wake);
              resolve();
            };
            const timer = setTimeout(wake, ms);
            box.waiting.add(wake);
          }),
        close: () => void open.delete(path),
      };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function react(response: ServerResponse, reaction: Reaction): void {
  if (reaction === 'hang') return;
  if (reaction === 'reset') return void response.destroy();
  const { status, headers = {}, afterMs = 0, cut = false } = reaction;
  const answer = () => {
    response.writeHead(status, { ...headers, 'content-length': cut ? '2' : '0' });
    if (cut) response.write('{', () => response.destroy());
    else response.end();
  };
  if (afterMs === 0) answer();
  else setTimeout(answer, afterMs).unref();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
