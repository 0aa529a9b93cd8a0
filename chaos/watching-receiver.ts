import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { startEndpoint } from './receivers.ts';

/** A receiver that records every delivery. Some of its answers are late, failed or cut off. */
export interface WatchingReceiver {
  readonly url: string;
  readonly counts: {
    received: number;
    /** Deliveries after the first with the same webhook-id and subscription. */
    repeats: number;
    /** Repeats after a 2xx answer: a kit may be killed before it has stored the answer. */
    afterSuccess: number;
    /** Repeats with another body. */
    differing: number;
    /** Deliveries whose connection ended while the answer was held back. */
    cutOff: number;
    /** Deliveries that were answered with 503 or a closed connection. */
    failed: number;
  };
  /** Deliveries whose answer is being held back. */
  readonly held: number;
  readonly holding: boolean;
  /** Holds back all answers until `release`. */
  hold(): void;
  release(): void;
  /** The subscriptions whose delivery of this event type for this entity was acknowledged. */
  acknowledgedBy(type: string, entityId: string): ReadonlySet<string>;
  /** The acknowledged events, as `type entityId`. */
  events(): Iterable<string>;
  close(): Promise<void>;
}

interface Envelope {
  readonly type: string;
  readonly subscriptionId: string;
  readonly data: { readonly userId?: string; readonly assignmentId?: string };
}

/** Later attempts succeed, because the retry schedule `fast` gives up after seven. */
const MAX_FAILURES = 3;
const NO_SUBSCRIPTIONS: ReadonlySet<string> = new Set();

export async function startWatchingReceiver(): Promise<WatchingReceiver> {
  const seen = new Map<string, { body: string; times: number; acknowledged: boolean }>();
  const acknowledged = new Map<string, Set<string>>();
  const counts = { received: 0, repeats: 0, afterSuccess: 0, differing: 0, cutOff: 0, failed: 0 };
  let held = 0;
  let holding: PromiseWithResolvers<void> | undefined;

  function record(key: string, body: string) {
    const known = seen.get(key) ?? { body, times: 0, acknowledged: false };
    seen.set(key, known);
    known.times += 1;
    counts.received += 1;
    if (known.times > 1) counts.repeats += 1;
    if (known.acknowledged) counts.afterSuccess += 1;
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
    if (times <= MAX_FAILURES && dice < 0.2) {
      counts.failed += 1;
      if (dice < 0.1) response.writeHead(503).end();
      else response.socket?.destroy();
      return;
    }
    if (dice < 0.4) await pause(Math.random() * 100);
    response.writeHead(204).end();
  }

  const endpoint = await startEndpoint(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      body += part;
    });
    await once(request, 'end').catch(() => {});
    if (!request.complete) return;
    const { type, subscriptionId, data } = JSON.parse(body) as Envelope;
    const delivery = record(`${subscriptionId} ${request.headers['webhook-id']}`, body);
    const event = `${type} ${data.assignmentId ?? data.userId}`;
    response.once('finish', () => {
      if (response.statusCode !== 204) return;
      delivery.acknowledged = true;
      const subscriptions = acknowledged.get(event) ?? new Set();
      acknowledged.set(event, subscriptions.add(subscriptionId));
    });
    response.once('close', () => {
      if (holding && !response.writableEnded) counts.cutOff += 1;
    });
    await answer(response, delivery.times);
  });
  return {
    ...endpoint,
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
    acknowledgedBy: (type, entityId) => acknowledged.get(`${type} ${entityId}`) ?? NO_SUBSCRIPTIONS,
    events: () => acknowledged.keys(),
  };
}
