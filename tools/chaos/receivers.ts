import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '../../src/store/testing/listen.ts';

/** @param answer is called when a request's body is complete */
export async function startEndpoint(answer: (body: string, response: ServerResponse, request: IncomingMessage) => void) {
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '');
    if (request.complete) answer(body, response, request);
  });
  const listening = await listen(server);
  return { ...listening, url: `${listening.url}/hook` };
}

interface Envelope {
  readonly type: string;
  readonly timestamp: string;
  readonly subscriptionId: string;
  readonly data: { readonly userId?: string; readonly assignmentId?: string };
}

/** Adds the event's name, as in a ledger: its type and the entity's id. */
export function parseEvent(body: string): Envelope & { readonly name: string } {
  const event = JSON.parse(body) as Envelope;
  return { ...event, name: `${event.type} ${event.data.assignmentId ?? event.data.userId}` };
}

/** The maximum number of failures per delivery, fewer than the `fast` schedule's seven attempts. */
const MAX_FAILURES = 3;

/** Starts a receiver that records every delivery, but delays or fails some. */
export async function startRecorder() {
  const seen = new Map<string, { body: string; times: number }>();
  const acknowledged = new Map<string, Set<string>>();
  /**
   * `repeats`: repeated deliveries to a subscription. `cutOff`: deliveries that the kit aborted. `failed`: deliveries that the receiver
   * refused.
   */
  const counts = { received: 0, repeats: 0, cutOff: 0, failed: 0 };
  const differing: string[] = [];
  let pendingResponses = 0;
  const endpoint = await startEndpoint(async (body, response, request) => {
    const { name, subscriptionId } = parseEvent(body);
    const key = `${subscriptionId} ${request.headers['webhook-id']}`;
    const delivery = seen.get(key) ?? { body, times: 0 };
    seen.set(key, delivery);
    delivery.times += 1;
    counts.received += 1;
    if (delivery.times > 1) counts.repeats += 1;
    if (delivery.body !== body) differing.push(`${key}: ${body}`);
    response.once('finish', () => {
      if (response.statusCode === 204) acknowledged.set(name, (acknowledged.get(name) ?? new Set()).add(subscriptionId));
    });
    const dice = Math.random();
    if (dice > 0.5) {
      pendingResponses += 1;
      await pause(Math.random() * 300);
      pendingResponses -= 1;
    }
    if (response.destroyed) counts.cutOff += 1;
    else if (delivery.times > MAX_FAILURES || dice > 0.2) response.writeHead(204).end();
    else {
      counts.failed += 1;
      if (dice > 0.1) response.writeHead(503).end();
      else response.socket?.destroy();
    }
  });
  return {
    ...endpoint,
    counts,
    countPendingResponses: () => pendingResponses,
    /** Descriptions of repeated deliveries with a different body than the first delivery. */
    differing,
    /** Maps an event, as `type entityId`, to the subscriptions for which it was acknowledged. */
    acknowledged: acknowledged as ReadonlyMap<string, ReadonlySet<string>>,
  };
}
