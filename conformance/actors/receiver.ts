import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Delivery } from '../expect/event.ts';
import type { ReceiverSettings } from '../target/target-settings.ts';
import { ownCertificate } from './own-certificate.ts';

/**
 * The reaction to a delivery. `cut`: the connection is closed within the response body. `hang`: no response is sent. `reset`: the
 * connection is closed without a response.
 */
export type Reaction =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly afterMs?: number; readonly cut?: true }
  | 'hang'
  | 'reset';

/** A URL that receives deliveries, and the deliveries that it received. */
export interface Mailbox {
  readonly url: string;
  /** Whether this path has received no request. For a generated path: whether no generated path has received a request. */
  readonly isSilent: boolean;
  readonly deliveries: readonly Delivery[];
  /**
   * Sets the reaction to later deliveries. If `decide` returns undefined, the function that was set before decides. Default: status 204.
   */
  answerWith(decide: (delivery: Delivery) => Reaction | undefined): void;
  /** Waits for the next delivery, for at most `ms` milliseconds. */
  next(ms: number): Promise<void>;
  /** Stops collecting deliveries. Later deliveries are still acknowledged. */
  close(): void;
}

/** A server that receives deliveries. */
export interface Receiver {
  /** @param path the path, below publicUrl, of a subscription that already exists. Absent: a new random path. */
  mailbox(path?: string): Mailbox;
  close(): Promise<void>;
}

/**
 * The time that an idle connection stays open, in milliseconds. It is longer than any check waits, because a delivery on a closing
 * connection would fail.
 */
const KEEP_ALIVE_MS = 600_000;

interface Box {
  readonly deliveries: Delivery[];
  readonly decisions: ((delivery: Delivery) => Reaction | undefined)[];
  readonly waiting: Set<() => void>;
}

const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** The receivers of one worker. Each is started on first use. */
export interface Receivers {
  /** Returns the receiver at the configured address. */
  configured(): Promise<Receiver>;
  /** Returns an https receiver on this machine, whatever address is configured. */
  https(): Promise<Receiver>;
  close(): Promise<void>;
}

/** @param settings the address of the receiver. Absent: a free port of this machine. */
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

/** Starts a receiver. @throws Error if the server cannot listen at the address */
export async function startReceiver({ host, port, publicUrl, tls = false }: ReceiverSettings): Promise<Receiver> {
  const open = new Map<string, Box>();
  const generated = new Set<string>();
  const requested = new Set<string>();
  const listener = (request: IncomingMessage, response: ServerResponse) => void receive(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(ownCertificate, listener) : createServer(listener);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, host);
  await once(server, 'listening');
  const url = publicUrl ?? `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`;
  const prefix = new URL(url).pathname.replace(/\/$/, '');

  /** The path of the mailbox. Removes the path of publicUrl, because a proxy may or may not remove it. */
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
    requested.add(path);
    const box = open.get(path);
    box?.deliveries.push(delivery);
    const reaction = box?.decisions.map((decide) => decide(delivery)).find((each) => each !== undefined) ?? { status: 204 };
    if (typeof reaction === 'object') Object.assign(delivery, { answeredAt: delivery.at + (reaction.afterMs ?? 0) });
    react(response, reaction);
    for (const wake of box?.waiting ?? []) wake();
  }

  return {
    mailbox(given) {
      const path = given ?? `/${randomUUID()}`;
      if (given === undefined) generated.add(path);
      const box: Box = { deliveries: [], decisions: [], waiting: new Set() };
      open.set(path, box);
      return {
        url: `${url}${path}`,
        get isSilent() {
          return given === undefined ? ![...generated].some((each) => requested.has(each)) : !requested.has(given);
        },
        deliveries: box.deliveries,
        answerWith: (decide) => void box.decisions.unshift(decide),
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

/**
 * Tests whether deliveries arrive at a receiver.
 * @param reach sends a delivery to the URL, and returns why it failed
 * @returns why deliveries do not arrive; undefined if they arrive
 */
export async function whyUnreachable(receiver: Receiver, reach: (url: string) => Promise<string | undefined>): Promise<string | undefined> {
  const mailbox = receiver.mailbox();
  const { origin } = new URL(mailbox.url);
  try {
    const why = await reach(mailbox.url);
    if (why !== undefined) return `a delivery to ${origin} failed (${why})`;
    return mailbox.deliveries.length === 0
      ? `the test delivery to ${origin} was answered, but not by the receiver: another server uses that address`
      : undefined;
  } finally {
    mailbox.close();
  }
}

function react(response: ServerResponse, reaction: Reaction): void {
  if (reaction === 'hang') return;
  if (reaction === 'reset') return void response.destroy();
  const { status, headers = {}, afterMs = 0, cut = false } = reaction;
  const answer = () => {
    // A 204 response has no content-length (RFC 9110, section 8.6).
    response.writeHead(status, { ...headers, ...(status !== 204 && { 'content-length': cut ? '2' : '0' }) });
    if (cut) response.write('{', () => response.destroy());
    else response.end();
  };
  if (afterMs === 0) answer();
  else setTimeout(answer, afterMs).unref();
}

/** The largest accepted size of a decompressed body, in bytes. */
const LARGEST = 10_000_000;
const DECODERS: Readonly<Record<string, typeof gunzipSync>> = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** Decompresses the body of a delivery. Returns a body that cannot be decompressed unchanged. */
function textOf(bytes: Buffer, encoding: string | undefined): string {
  try {
    return (DECODERS[encoding ?? '']?.(bytes, { maxOutputLength: LARGEST }) ?? bytes).toString();
  } catch {
    return bytes.toString();
  }
}

function parsed(text: string): unknown {
  try {
    // A parser may ignore a byte order mark (RFC 8259, section 8.1).
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
