import { setTimeout as delay } from 'node:timers/promises';
import { isAcknowledgement } from '../../domain/deliveries.ts';
import { createDeliveryHeaders } from '../../domain/delivery-headers.ts';
import { createSender, type SendResult } from '../../events/send.ts';
import { connectTo } from './hooks.ts';

export interface DeliveryAnswer {
  readonly acknowledged: boolean;
  readonly attempts: readonly Attempt[];
  /** Whether the last attempt got no response and the endpoint no longer accepts connections. */
  readonly stopped: boolean;
}

export interface Attempt {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly result: SendResult;
  readonly late: boolean;
  /** Whether the check closed the connection before it read the response. */
  readonly lost: boolean;
}

export interface Endpoint {
  readonly url: string;
  readonly acknowledged: number;
  /** A sentence that describes when the endpoint stopped accepting connections. If it is set, the check delivers nothing more. */
  stopped: string | undefined;
  /**
   * Delivers an event, and repeats a failed delivery up to five times. A timeout ends the repetition.
   * @param once whether to stop at the first response, even if it is an error
   * @param brief whether to stop after the third attempt if the endpoint responded to it, even with an error
   * @param loseAnswer whether to close the first attempt's connection before the response
   */
  deliver(
    delivery: { readonly webhookId: string; readonly body: string },
    options?: { readonly once?: boolean; readonly brief?: boolean; readonly loseAnswer?: boolean },
  ): Promise<DeliveryAnswer>;
  close(): Promise<void>;
}

export interface EndpointOptions {
  readonly url: string;
  readonly answerWithinMs: number;
  readonly secret: string | undefined;
  readonly now: () => number;
}

/** The pauses between attempts, in milliseconds. The specification states no retry schedule. */
const PAUSES_MS = [50, 150, 400, 1000, 2000];

export function createEndpoint({ url, answerWithinMs, secret, now }: EndpointOptions): Endpoint {
  const sender = createSender({ mode: 'local', timeoutMs: answerWithinMs, keepBody: true });
  const closingSender = createSender({ mode: 'local', timeoutMs: answerWithinMs, acknowledgedBy: 'headers' });
  let total = 0;

  async function attemptDelivery(chosenSender: typeof sender, webhookId: string, body: string): Promise<Attempt> {
    const sentAt = now();
    const headers = createDeliveryHeaders({ webhookId, sentAt, body, secret });
    const result = await chosenSender.send(url, headers, body);
    const late = 'error' in result && result.error.startsWith('timeout');
    return { at: new Date(sentAt).toISOString(), headers, result, late, lost: chosenSender === closingSender };
  }

  const isListening = () =>
    connectTo(url, answerWithinMs).then(
      () => true,
      () => false,
    );

  return {
    url,
    stopped: undefined,
    get acknowledged() {
      return total;
    },
    async deliver({ webhookId, body }, { once = false, brief = false, loseAnswer = false } = {}) {
      const attempts: Attempt[] = [];
      for (let number = 0; ; number++) {
        const made = await attemptDelivery(loseAnswer && number === 0 ? closingSender : sender, webhookId, body);
        attempts.push(made);
        const acknowledged = !made.lost && 'status' in made.result && isAcknowledgement(made.result.status);
        if (acknowledged) total++;
        // A supervisor may restart an endpoint that did not respond.
        const isUnanswered = 'error' in made.result && !made.lost;
        const isEnough = !isUnanswered && (once || (brief && number >= 2));
        const pause = made.lost ? 0 : PAUSES_MS[number];
        if (acknowledged || made.late || isEnough || pause === undefined)
          return { acknowledged, attempts, stopped: isUnanswered && !made.late && !(await isListening()) };
        await delay(pause);
      }
    },
    close: async () => void (await Promise.all([sender, closingSender].map((each) => each.close()))),
  };
}
