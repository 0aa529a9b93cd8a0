import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../contract/generated/control.ts';
import type { EventOf, EventType } from '../contract/generated/events.ts';
import { callOperation } from '../control-client/call.ts';
import { type ControlClient, getResponseData } from '../control-client/client.ts';
import { RefusedError, UsageError } from '../control-client/errors.ts';
import { WaitError } from './errors.ts';
import type { Delivery, DeliveryOf } from './event-types.ts';
import type { KitTools } from './kit-tools.ts';

const POLL_MS = 20;
/** Milliseconds of wall time, less than most test runners' timeout of 5 seconds. */
const DEFAULT_WAIT_MS = 3000;
const MAX_DESCRIBED_DELIVERIES = 5;

/** @param errors a function that returns sentences about errors in event handlers */
export function createDeliveries(control: ControlClient, errors: () => string): Pick<KitTools, 'deliveries' | 'settled'> {
  const readDelivery = (deliveryId: string) => getResponseData(callOperation(control, 'readDelivery', { deliveryId }));
  return {
    deliveries: {
      async wait<Type extends EventType>(options = {}) {
        const values = { timeoutMs: DEFAULT_WAIT_MS, ...options };
        const found = await getResponseData(callOperation(control, 'waitForDeliveries', values)).catch((error: unknown) => {
          if (!(error instanceof RefusedError)) throw error;
          if (error.type === '/problems/control.not-found') throw new WaitError(error.detail + errors(), { cause: error });
          throw error.type === '/problems/control.invalid' ? new UsageError(error.detail, { cause: error }) : error;
        });
        return Promise.all(
          found.reverse().map(async ({ id }): Promise<DeliveryOf<Type>> => {
            const { body: event, ...delivery } = await readDelivery(id);
            return { ...delivery, event: event as EventOf<Type> };
          }),
        );
      },
      position: async () => (await control.GET('/_control/clock')).data.position,
    },
    async settled(timeoutMs = DEFAULT_WAIT_MS) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const pending = await getResponseData(callOperation(control, 'listDeliveries', { state: 'pending', limit: 1000 }));
        if (pending.length === 0) return;
        if (performance.now() > deadline) {
          const described = await Promise.all(
            pending.slice(0, MAX_DESCRIBED_DELIVERIES).map(async ({ id }) => describeDelivery(await readDelivery(id))),
          );
          const more = pending.length - described.length;
          const { now } = (await control.GET('/_control/clock')).data;
          throw new WaitError(
            `Waited ${timeoutMs} ms, and these deliveries are still pending:\n  ${described.join('\n  ')}${more > 0 ? `\n  and ${more} more` : ''}\n` +
              `Kit time is ${now}. To make later attempts due, move it with kit.clock.advance().${errors()}`,
          );
        }
        await delay(POLL_MS);
      }
    },
  };
}

function describeDelivery({
  type,
  subscription,
  subscriptionId,
  attempts,
  attemptLog,
  nextAttemptAt,
}: Delivery & { attemptLog: components['schemas']['Attempt'][] }): string {
  const { status, error } = attemptLog.at(-1) ?? {};
  const last = error ?? (status === undefined ? 'no attempt has ended' : `status ${status}`);
  const next = nextAttemptAt === undefined ? '' : `, next attempt at ${nextAttemptAt}`;
  return `${type} to ${subscription ?? subscriptionId} (attempts: ${attempts}, the last: ${last}${next})`;
}
