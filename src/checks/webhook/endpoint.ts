import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect as connectSocket, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { UsageError } from '../../control-client/errors.ts';
import { isAcknowledgement } from '../../domain/deliveries.ts';
import { createDeliveryHeaders } from '../../domain/delivery-headers.ts';
import { checkDestination, type DestinationMode } from '../../events/destination.ts';
import { createSender, type SendResult } from '../../events/send.ts';
import type { Delivery } from './rewrite.ts';

export interface Attempt {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly result: SendResult;
  readonly late: boolean;
  /** Whether the check closed the connection before it read the response. */
  readonly lost: boolean;
}

export type Endpoint = ReturnType<typeof createEndpoint>;
export type DeliveryAnswer = Awaited<ReturnType<Endpoint['deliver']>>;
type SentDelivery = Pick<Delivery, 'webhookId' | 'body' | 'otherHeaders'>;

interface EndpointOptions {
  readonly url: string;
  readonly mode: DestinationMode;
  readonly answerWithinMs: number;
  readonly secret: string | undefined;
  readonly now: () => number;
}

/** undici's messages about new HTTP connections. */
const CONNECTED = 'undici:client:connected';
/** Longer, a connection without a request could delay a graceful shutdown. */
const MAX_HOLD_MS = 1000;

/** The pauses between attempts, in milliseconds. The specification states no retry schedule. */
const PAUSES_MS = [50, 150, 400, 1000, 2000];

function spellDifferently(headers: Readonly<Record<string, string>>): Record<string, string> {
  const capitalize = (name: string) => name.replace(/\b\w/g, (letter) => letter.toUpperCase());
  const renamed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [capitalize(name), value]));
  return { ...renamed, 'Content-Type': 'application/json; charset=utf-8' };
}

export function createEndpoint({ url, mode, answerWithinMs, secret, now }: EndpointOptions) {
  const sender = createSender({ mode, timeoutMs: answerWithinMs, keepBody: true });
  const closingSender = createSender({ mode, timeoutMs: answerWithinMs, acknowledgedBy: 'headers' });
  let total = 0;
  let inFlight = 0;
  /** The responses to deliveries that arrived alone. */
  const alone = { count: 0, ms: 0 };

  async function attemptDelivery(chosenSender: typeof sender, { webhookId, body, otherHeaders }: SentDelivery): Promise<Attempt> {
    const sentAt = now();
    const plain = createDeliveryHeaders({ webhookId, sentAt, body, secret });
    const headers = otherHeaders ? spellDifferently(plain) : plain;
    const isAlone = inFlight++ === 0;
    const result = await chosenSender.send(url, headers, body);
    inFlight--;
    if (isAlone) [alone.count, alone.ms] = [alone.count + 1, alone.ms + result.durationMs];
    const late = 'error' in result && result.error.startsWith('timeout');
    return { at: new Date(sentAt).toISOString(), headers, result, late, lost: chosenSender === closingSender };
  }

  const connect = async () => void (await connectTo(url, answerWithinMs, mode)).destroy();
  const sockets = new Set<Socket>();
  const addSocket = (message: unknown) => {
    const { connectParams, socket } = message as { readonly connectParams: { readonly host: string }; readonly socket: Socket };
    if (connectParams.host === new URL(url).host) sockets.add(socket);
  };
  subscribe(CONNECTED, addSocket);
  const isListening = () =>
    connect().then(
      () => true,
      () => false,
    );

  return {
    url,
    /** Rejects if the endpoint accepts no connections. */
    connect,
    /**
     * Returns open connections, because the end of the endpoint's process closes them. Prefers those that wait for another request, because
     * a graceful shutdown closes them at once.
     */
    async hold(): Promise<readonly Socket[]> {
      // The endpoint may be closing the connection of the latest delivery.
      await delay(20);
      const idle = [...sockets].filter(({ destroyed }) => !destroyed);
      if (idle.length > 0) return idle;
      const socket = await connectTo(url, answerWithinMs, mode);
      return [socket.resume().setTimeout(MAX_HOLD_MS, () => void socket.destroy())];
    },
    /** A sentence that describes when the endpoint stopped accepting connections. If it is set, the check delivers nothing more. */
    stopped: undefined as string | undefined,
    get acknowledged() {
      return total;
    },
    /** How many deliveries the endpoint can answer in half of the permitted time, even if it handles one after the other. */
    get maxSimultaneous() {
      return Math.max(1, Math.floor((answerWithinMs / 2 / (alone.ms + 1)) * alone.count));
    },
    /**
     * Delivers an event, and repeats a failed delivery up to five times. A timeout ends the repetition.
     * @param once whether to stop at the first response, even if it is an error
     * @param brief whether to stop after the third attempt if the endpoint responded to it, even with an error
     * @param loseAnswer whether to close the first attempt's connection before the response
     */
    async deliver(delivery: SentDelivery, { once = false, brief = false, loseAnswer = false } = {}) {
      const attempts: Attempt[] = [];
      for (let number = 0; ; number++) {
        const made = await attemptDelivery(loseAnswer && number === 0 ? closingSender : sender, delivery);
        attempts.push(made);
        const acknowledged = !made.lost && 'status' in made.result && isAcknowledgement(made.result.status);
        if (acknowledged) total++;
        // A supervisor may restart an endpoint that did not respond.
        const isUnanswered = 'error' in made.result && !made.lost;
        const isEnough = !isUnanswered && (once || (brief && number >= 2));
        const pause = made.lost ? 0 : PAUSES_MS[number];
        if (acknowledged || made.late || isEnough || pause === undefined) {
          // The endpoint stopped if the last attempt got no response, and the endpoint accepts no connections anymore.
          const stopped = isUnanswered && !made.late && !(await isListening());
          return { acknowledged, attempts, stopped };
        }
        await delay(pause);
      }
    },
    async close() {
      unsubscribe(CONNECTED, addSocket);
      await Promise.all([sender, closingSender].map((each) => each.close()));
    },
  };
}

/** Sends no request, because a request may have an effect. @throws Error if `mode` does not allow the URL, or if nothing listens */
export async function connectTo(url: string, timeoutMs: number, mode: DestinationMode): Promise<Socket> {
  const destination = await checkDestination(url, mode);
  if ('refused' in destination) throw new UsageError(`The endpoint cannot receive events. ${destination.refused}`);
  const { port, protocol } = new URL(url);
  const lookup: LookupFunction = (_, __, callback) => callback(null, [...destination.addresses]);
  const socket = connectSocket({ host: destination.host, port: Number(port || (protocol === 'https:' ? 443 : 80)), lookup });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return socket.on('error', () => {});
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
