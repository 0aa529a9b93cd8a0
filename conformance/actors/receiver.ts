import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { LimitedBody } from '../../src/contract/limited-body.ts';
import type { Delivery } from '../../src/expect/event.ts';
import type { ReceiverSettings } from '../target/target-settings.ts';
import { localhostCertificate } from './own-certificate.ts';

/** The reaction to a delivery. `cut` closes the connection within the response, `reset` before the response. `hang` sends no response. */
export type Reaction =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly afterMs?: number; readonly cut?: true }
  | 'hang'
  | 'reset';

export interface Mailbox {
  readonly url: string;
  /** True until a request arrives at this path or, if the path is random, at any random path. */
  readonly isSilent: boolean;
  readonly deliveries: readonly Delivery[];
  /**
   * Sets the reaction to future deliveries. If `decide` returns undefined, the function from the previous call decides. If all functions
   * return undefined, the reaction is a 204.
   */
  setReaction(decide: (delivery: Delivery) => Reaction | undefined): void;
  waitForDelivery(ms: number): Promise<void>;
  readonly isClosed: boolean;
  /** Stops collecting deliveries, but still acknowledges them. */
  close(): void;
}

export interface Receiver {
  /** @param path an existing subscription's path below publicUrl; default: a new random path */
  openMailbox(path?: string): Mailbox;
  close(): Promise<void>;
}

/**
 * How long an idle connection stays open, in milliseconds. The time is long, because a connection that closes early can make a delivery
 * fail.
 */
const KEEP_ALIVE_MS = 600_000;

interface MailboxState {
  readonly deliveries: Delivery[];
  readonly decisions: ((delivery: Delivery) => Reaction | undefined)[];
  readonly waiting: Set<() => void>;
}

const LOOPBACK_ADDRESS = { host: '127.0.0.1', port: 0 };

/** One worker's receivers. Each receiver starts when it is first used. */
export type Receivers = ReturnType<typeof createReceivers>;

/** @param settings the receiver's address. Absent: a free port on this machine. */
export function createReceivers(settings: ReceiverSettings = LOOPBACK_ADDRESS) {
  let [configured, local, https]: Promise<Receiver>[] = [];
  return {
    getConfiguredReceiver: () => (configured ??= startReceiver(settings)),
    /** Returns an http receiver on this machine, regardless of the configured address. */
    getLocalReceiver: () => (local ??= startReceiver(LOOPBACK_ADDRESS)),
    /** Returns an https receiver on this machine, regardless of the configured address. */
    getHttpsReceiver: () => (https ??= startReceiver({ ...LOOPBACK_ADDRESS, tls: true })),
    async close() {
      for (const started of [configured, local, https]) await (await started)?.close();
    },
  };
}

/** @throws Error if the server cannot listen at the address */
export async function startReceiver({ host, port, publicUrl, tls = false }: ReceiverSettings): Promise<Receiver> {
  const open = new Map<string, MailboxState>();
  const generated = new Set<string>();
  const requested = new Set<string>();
  const handleRequest = (request: IncomingMessage, response: ServerResponse) =>
    void receiveDelivery(request, response).catch(() => response.destroy());
  const server = tls ? createTlsServer(localhostCertificate, handleRequest) : createServer(handleRequest);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(port, host);
  await once(server, 'listening');
  const url = publicUrl ?? `${tls ? 'https' : 'http'}://${host}:${(server.address() as AddressInfo).port}`;
  const prefix = new URL(url).pathname.replace(/\/$/, '');

  /** Returns the request's path without publicUrl's path, which a proxy may already have removed. */
  function readMailboxPath(request: IncomingMessage): string {
    const { pathname } = new URL(request.url ?? '/', url);
    return !open.has(pathname) && pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
  }

  async function receiveDelivery(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new LimitedBody(MAX_BODY_BYTES);
    for await (const chunk of request) body.add(chunk as Buffer);
    const text = decodeBody(body.read(), request.headers['content-encoding']);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const delivery = { method: request.method ?? '', headers, text, json: parseJson(text), at: Date.now() };
    const path = readMailboxPath(request);
    requested.add(path);
    const box = open.get(path);
    box?.deliveries.push(delivery);
    const reaction = box?.decisions.map((decide) => decide(delivery)).find((each) => each !== undefined) ?? { status: 204 };
    if (typeof reaction === 'object') Object.assign(delivery, { answeredAt: delivery.at + (reaction.afterMs ?? 0) });
    respond(response, reaction);
    for (const resolveWait of box?.waiting ?? []) resolveWait();
  }

  return {
    openMailbox(givenPath) {
      const path = givenPath ?? `/${randomUUID()}`;
      if (givenPath === undefined) generated.add(path);
      const box: MailboxState = { deliveries: [], decisions: [], waiting: new Set() };
      open.set(path, box);
      return {
        url: `${url}${path}`,
        get isSilent() {
          return givenPath === undefined ? ![...generated].some((each) => requested.has(each)) : !requested.has(givenPath);
        },
        deliveries: box.deliveries,
        setReaction: (decide) => void box.decisions.unshift(decide),
        waitForDelivery: (ms) =>
          new Promise((resolve) => {
            const wake = () => {
              clearTimeout(timer);
              box.waiting.delete(wake);
              resolve();
            };
            const timer = setTimeout(wake, ms);
            box.waiting.add(wake);
          }),
        get isClosed() {
          return open.get(path) !== box;
        },
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
 * @param reach sends a delivery to the URL, and returns why it failed
 * @returns why deliveries do not arrive; undefined if they arrive
 */
export async function testReceiver(receiver: Receiver, reach: (url: string) => Promise<string | undefined>): Promise<string | undefined> {
  const mailbox = receiver.openMailbox();
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

function respond(response: ServerResponse, reaction: Reaction): void {
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

const MAX_BODY_BYTES = 10_000_000;
const DECODERS: Readonly<Record<string, typeof gunzipSync>> = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

function decodeBody(bytes: Buffer, encoding: string | undefined): string {
  try {
    return (DECODERS[encoding ?? '']?.(bytes, { maxOutputLength: MAX_BODY_BYTES }) ?? bytes).toString();
  } catch {
    return bytes.toString();
  }
}

function parseJson(text: string): unknown {
  try {
    // A parser may ignore a byte order mark (RFC 8259, section 8.1).
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
