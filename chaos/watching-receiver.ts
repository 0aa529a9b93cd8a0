import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A receiver that remembers everything, and is not always well. */
export interface WatchingReceiver {
  readonly url: string;
  readonly counts: {
    received: number;
    /** Beyond the first of a webhook-id for a subscription. */
    repeats: number;
    /** Repeats of what had been answered with 2xx: a kit may be killed before it has written that down. */
    needless: number;
    /** Came under a webhook-id that had come with another body for the same subscription. */
    differing: number;
    /** Those whose sender went while their answer was held back. */
    cutOff: number;
    /** Those that were answered with 503 or a closed connection. */
    failed: number;
  };
  /** Those whose answer is being held back. */
  readonly held: number;
  readonly holding: boolean;
  /** From now on nobody gets an answer, until `release`. */
  hold(): void;
  release(): void;
  /** The subscriptions for which an event of this type about this entity was acknowledged. */
  acknowledgedBy(type: string, entityId: string): ReadonlySet<string>;
  /** What acknowledged events are about, as `type entityId`. */
  events(): Iterable<string>;
  close(): Promise<void>;
}

interface Envelope {
  readonly type: string;
  readonly subscriptionId: string;
  readonly data: { readonly userId?: string; readonly assignmentId?: string };
}

/** Later repeats are answered well: the schedule `fast` has seven, and none may be used up. */
const MOST_FAILURES = 3;
const nobody: ReadonlySet<string> = new Set();

export async function startWatchingReceiver(): Promise<WatchingReceiver> {
  const seen = new Map<string, { body: string; times: number; acknowledged: boolean }>();
  const acknowledged = new Map<string, Set<string>>();
  const counts = { received: 0, repeats: 0, needless: 0, differing: 0, cutOff: 0, failed: 0 };
  let held = 0;
  let holding: PromiseWithResolvers<void> | undefined;

  function remember(key: string, body: string) {
    const known = seen.get(key) ?? { body, times: 0, acknowledged: false };
    seen.set(key, known);
    known.times += 1;
    counts.received += 1;
    if (known.times > 1) counts.repeats += 1;
    if (known.acknowledged) counts.needless += 1;
    if (known.body !== body) counts.differing += 1;
    return known;
  }

  async function answer(response: ServerResponse, times: number): Promise<void> {
    if (holding) {
      held += 1;
      await holding.promise;
      held -= 1;
    }
    const dice = Math.random();
    if (times <= MOST_FAILURES && dice < 0.2) counts.failed += 1;
    if (times <= MOST_FAILURES && dice < 0.1) return void response.writeHead(503).end();
    if (times <= MOST_FAILURES && dice < 0.2) return void response.socket?.destroy();
    if (dice < 0.4) await pause(Math.random() * 100);
    response.writeHead(204).end();
  }

  const server = createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      body += part;
    });
    await once(request, 'end').catch(() => {});
    if (!request.complete) return;
    const { type, subscriptionId, data } = JSON.parse(body) as Envelope;
    const delivery = remember(`${subscriptionId} ${request.headers['webhook-id']}`, body);
    const about = `${type} ${data.assignmentId ?? data.userId}`;
    response.once('finish', () => {
      if (response.statusCode !== 204) return;
      delivery.acknowledged = true;
      const by = acknowledged.get(about) ?? new Set();
      acknowledged.set(about, by.add(subscriptionId));
    });
    response.once('close', () => {
      if (holding && !response.writableEnded) counts.cutOff += 1;
    });
    await answer(response, delivery.times);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    counts,
    get held() {
      return held;
    },
    get holding() {
      return holding !== undefined;
    },
    hold() {
      holding ??= Promise.withResolvers();
    },
    release() {
      holding?.resolve();
      holding = undefined;
    },
    acknowledgedBy: (type, entityId) => acknowledged.get(`${type} ${entityId}`) ?? nobody,
    events: () => acknowledged.keys(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
