import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { ReceiverSettings } from '../target/target-settings.ts';
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
  /** Whether nothing has ever come to this address, if it is a given one, or else to any that was. */
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
  /** @param path below publicUrl, where it is to be as a subscription that was made beforehand says; else one that nobody guesses. */
  mailbox(path?: string): Mailbox;
  close(): Promise<void>;
}

/**
 * A target may keep a connection for its next delivery. Were it closed meanwhile, the delivery would fail and come again as late as its schedule says: it
 * is kept for longer than anybody waits.
 */
const KEPT_MS = 600_000;

interface Open {
  deliveries: Delivery[];
  decisions: ((delivery: Delivery) => Reaction | undefined)[];
  waiting: Set<() => void>;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** Receivers of one worker, each started when it is first needed. */
export interface Receivers {
  /** Receives at the address of the settings. */
  configured(): Promise<Receiver>;
  /** Receives by https on this machine, whatever the settings say. */
  https(): Promise<Receiver>;
  close(): Promise<void>;
}

/** @param settings absent: any free port of this machine */
export function createReceivers(settings: ReceiverSettings = LOOPBACK): Receivers {
  let [configured, https]: Promise<Receiver>[] = [];
  return {
    configured: () => (configured ??= startReceiver(settings)),
    https: () => (https ??= startReceiver({ ...LOOPBACK, tls: true })),
    async close() {
      for (const started of [configured, https]) await (await started)?.close();
    },
  };
}

/** Starts a receiver. @throws Error where it cannot listen there. */
export async function startReceiver({ host, port, publicUrl, tls = false }: ReceiverSettings): Promise<Receiver> {
  const open = new Map<string, Open>();
  const own = new Set<string>();
  const heard = new Set<string>();
  const listener = (request: IncomingMessage, response: ServerResponse) => void receive(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(ownCertificate, listener) : createServer(listener);
  server.keepAliveTimeout = KEPT_MS;
  server.listen(port, host);
  await once(server, 'listening');
  const url = publicUrl ?? `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`;
  const prefix = new URL(url).pathname.replace(/\/$/, '');

  /** What stands at the public address may pass on its own part of the path, or keep it. */
  function pathOf(request: IncomingMessage): string {
    const { pathname } = new URL(request.url ?? '/', url);
    return !open.has(pathname) && pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = textOf(Buffer.concat(chunks), request.headers['content-encoding']);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const delivery = { method: request.method ?? '', headers, text, json: parsed(text), at: Date.now() };
    const path = pathOf(request);
    heard.add(path);
    const box = open.get(path);
    box?.deliveries.push(delivery);
    react(response, box?.decisions.map((decide) => decide(delivery)).find((reaction) => reaction !== undefined) ?? { status: 204 });
    for (const wake of box?.waiting ?? []) wake();
  }

  return {
    mailbox(given) {
      const path = given ?? `/${randomUUID()}`;
      if (given === undefined) own.add(path);
      const box: Open = { deliveries: [], decisions: [], waiting: new Set() };
      open.set(path, box);
      return {
        url: `${url}${path}`,
        get isSilent() {
          return given === undefined ? ![...own].some((each) => heard.has(each)) : !heard.has(given);
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
    // RFC 9110, section 8.6: none where there can be no content.
    response.writeHead(status, { ...headers, ...(status !== 204 && { 'content-length': cut ? '2' : '0' }) });
    if (cut) response.write('{', () => response.destroy());
    else response.end();
  };
  if (afterMs === 0) answer();
  else setTimeout(answer, afterMs).unref();
}

/** No body that is delivered has more bytes. */
const LARGEST = 10_000_000;
const DECODERS: Readonly<Record<string, typeof gunzipSync>> = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** Nothing says that a body comes as it is. */
function textOf(bytes: Buffer, encoding: string | undefined): string {
  try {
    return (DECODERS[encoding ?? '']?.(bytes, { maxOutputLength: LARGEST }) ?? bytes).toString();
  } catch {
    return bytes.toString();
  }
}

function parsed(text: string): unknown {
  try {
    // RFC 8259, section 8.1: a reader may ignore a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
