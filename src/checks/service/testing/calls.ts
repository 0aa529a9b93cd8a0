import type { Call } from '../../client/call.ts';

/** Records calls one after the other, 100 ms apart. */
export function createCalls(caller: string | null = 'a') {
  const calls: Call[] = [];
  let now = Date.parse('2026-03-01T12:00:00Z');
  const send = (method: string, path: string, status: number, answer?: object, body?: object, durationMs = 10) => {
    now += 100;
    calls.push({
      ...{ number: calls.length + 1, at: new Date(now).toISOString(), arrivedMs: now, durationMs, door: 'service', step: 'forward' },
      ...{ method, path, traceId: 'x', status, operationId: undefined },
      credential: caller === null ? undefined : { fingerprint: caller },
      request: { headers: {}, ...(body && { body }) },
      response: { headers: {}, ...(answer && { body: answer }) },
    } as unknown as Call);
  };
  return {
    send,
    wait(ms: number) {
      now += ms;
    },
    calls,
  };
}
