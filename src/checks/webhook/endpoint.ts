import { setTimeout as delay } from 'node:timers/promises';
import { isAcknowledgement } from '../../domain/deliveries.ts';
import { deliveryHeaders } from '../../domain/delivery-headers.ts';
import { createSender, type SendResult } from '../../events/send.ts';
import { connectTo } from './hooks.ts';

/** What the endpoint did with one delivery and its repeats. */
export interface Answer {
  readonly acknowledged: boolean;
  readonly attempts: readonly Attempt[];
  /** Whether the last attempt got no response, and the endpoint accepts no connection any more. */
  readonly stopped: boolean;
}

export interface Attempt {
  readonly at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly result: SendResult;
  /** Whether the endpoint did not answer in time. */
  readonly late: boolean;
  /** Whether the connection was closed before the answer was read. */
  readonly lost: boolean;
}

export interface Endpoint {
  readonly url: string;
  /** The number of deliveries that were acknowledged so far. */
  readonly acknowledged: number;
  /** Why nothing more is delivered: the endpoint accepts no connections any more. Set by the scenario in which this happened. */
  stopped: string | undefined;
  /**
   * Delivers and repeats until the endpoint acknowledges, or does not answer in time.
   * @param once deliver only once, unless there is no response
   * @param brief repeat only for a fraction of a second, unless there is no response
   * @param loseAnswer close the HTTP connection of the first delivery before its response is read
   */
  deliver(
    delivery: { readonly webhookId: string; readonly body: string },
    options?: { readonly once?: boolean; readonly brief?: boolean; readonly loseAnswer?: boolean },
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface EndpointOptions {
  readonly url: string;
  /** The time in which the endpoint has to answer (Limits). */
  readonly answerWithinMs: number;
  readonly secret: string | undefined;
  readonly now: () => number;
}

/** The pauses before the repeats of a delivery. The specification states neither a schedule nor a number of attempts. */
const PAUSES_MS = [50, 150, 400, 1000, 2000];

export function createEndpoint({ url, answerWithinMs, secret, now }: EndpointOptions): Endpoint {
  const sender = createSender({ mode: 'local', timeoutMs: answerWithinMs, keepBody: true });
  const closingSender = createSender({ mode: 'local', timeoutMs: answerWithinMs, acknowledgedBy: 'headers' });
  let total = 0;

  async function attempt(by: typeof sender, webhookId: string, body: string): Promise<Attempt> {
    const sentAt = now();
    const headers = deliveryHeaders({ webhookId, sentAt, body, secret });
    const result = await by.send(url, headers, body);
    const late = 'error' in result && result.error.startsWith('timeout');
    return { at: new Date(sentAt).toISOString(), headers, result, late, lost: by === closingSender };
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
        const made = await attempt(loseAnswer && number === 0 ? closingSender : sender, webhookId, body);
        attempts.push(made);
        const acknowledged = !made.lost && 'status' in made.result && isAcknowledgement(made.result.status);
        if (acknowledged) total++;
        // A supervisor may restart an endpoint that stopped, so a delivery without a response is repeated in any case.
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
