import { setTimeout as delay } from 'node:timers/promises';
import { type ControlClient, dataOf } from '../../sdk/control.ts';
import { ScenarioEnd } from './result.ts';
import type { Stage } from './stage.ts';

/** A list whose next response is delayed. The response shows the list as it was before the delay. */
export interface DelayedList {
  readonly account: string;
  /** Waits until the list is requested. @throws ScenarioEnd if nothing requests it */
  requested(): Promise<void>;
  /** Waits until the delayed response was sent, and removes the faults. */
  release(): Promise<void>;
}

const LATENCY_MS = 700;
const PATIENCE_MS = 5000;

const LISTS = {
  connections: { path: '/experience/connections', operation: 'getExperienceConnections' },
  users: { path: '/users', operation: 'getUsers' },
} as const;

/** Delays the next response to a request for the connections or the users of account 0. */
export async function delayList(kind: keyof typeof LISTS, control: ControlClient, { url, token, accounts }: Stage): Promise<DelayedList> {
  const { path, operation } = LISTS[kind];
  const { id: accountId, name } = accounts[0]!;
  const response = await fetch(`${url}${path}?accountId=${accountId}`, { headers: { authorization: `Bearer ${token}` } });
  const target = { operation, match: { accountId }, times: 1 } as const;
  const latency = await dataOf(control.POST('/_control/faults', { body: { ...target, fault: 'latency', latencyMs: LATENCY_MS } }));
  const stale = await dataOf(
    control.POST('/_control/faults', { body: { ...target, fault: 'response', status: 200, body: (await response.json()) as unknown } }),
  );

  let requestedAt: number | undefined;

  return {
    account: name,
    async requested() {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const faults = await dataOf(control.GET('/_control/faults'));
        requestedAt = performance.now();
        if (faults.some(({ id, hits }) => id === latency.id && hits > 0)) return;
        if (requestedAt > deadline) break;
        await delay(10);
      }
      requestedAt = undefined;
      const reason = `the consumer did not request the ${kind} of the account ${name} by accountId after it had lost its store`;
      throw new ScenarioEnd({ verdict: 'not-testable', reason });
    },
    async release() {
      if (requestedAt !== undefined) await delay(Math.max(0, requestedAt + LATENCY_MS - performance.now()));
      for (const { id: faultId } of [latency, stale]) await control.DELETE('/_control/faults/{faultId}', { params: { path: { faultId } } });
    },
  };
}
