import { setTimeout as delay } from 'node:timers/promises';
import { fetchWhole } from '../../contract/limited-body.ts';
import { type ControlClient, getResponseData } from '../../control-client/client.ts';
import type { CheckWorld } from './check-world.ts';
import { ScenarioEnd } from './result.ts';

const LATENCY_MS = 700;
const MAX_WAIT_MS = 5000;

const LIST_REQUESTS = {
  connections: { path: '/experience/connections', operation: 'getExperienceConnections' },
  users: { path: '/users', operation: 'getUsers' },
} as const;

/** Makes the next response to a request for the list late and outdated. */
export async function delayList(kind: keyof typeof LIST_REQUESTS, control: ControlClient, { url, token, accounts }: CheckWorld) {
  const { path, operation } = LIST_REQUESTS[kind];
  const { id: accountId, name } = accounts[0]!;
  const response = await fetchWhole(`${url}${path}?accountId=${accountId}`, { headers: { authorization: `Bearer ${token}` } });
  const target = { operation, match: { accountId }, times: 1 } as const;
  const latency = await getResponseData(control.POST('/_control/faults', { body: { ...target, fault: 'latency', latencyMs: LATENCY_MS } }));
  const stale = await getResponseData(
    control.POST('/_control/faults', { body: { ...target, fault: 'response', status: 200, body: (await response.json()) as unknown } }),
  );

  let requestedAt: number | undefined;

  return {
    account: name,
    /**
     * Waits until the consumer requests the list.
     * @param hook the hook that makes the consumer lose its store
     * @throws ScenarioEnd if the consumer does not request the list within 5 seconds after the hook's end; the hook's error if the hook fails
     */
    async waitForRequest(hook: Promise<void>): Promise<void> {
      let isOver = false;
      const end = hook
        .then(() => delay(MAX_WAIT_MS, undefined, { ref: false }))
        .finally(() => {
          isOver = true;
        });
      end.catch(() => {});
      for (let wasOver = false; !wasOver; await delay(10)) {
        wasOver = isOver;
        const [faults, now] = [await getResponseData(control.GET('/_control/faults')), performance.now()];
        if (!faults.some(({ id, hits }) => id === latency.id && hits > 0)) continue;
        requestedAt = now;
        return;
      }
      await end;
      const reason = `the consumer did not request the account ${name}'s ${kind} by accountId after losing its store`;
      throw new ScenarioEnd({ verdict: 'not-testable', reason });
    },
    /** Waits until the late response is sent, and removes the faults. */
    async release(): Promise<void> {
      if (requestedAt !== undefined) await delay(Math.max(0, requestedAt + LATENCY_MS - performance.now()));
      for (const { id: faultId } of [latency, stale]) await control.DELETE('/_control/faults/{faultId}', { params: { path: { faultId } } });
    },
  };
}
