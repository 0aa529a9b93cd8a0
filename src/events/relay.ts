import { randomUUID } from 'node:crypto';
import type { components } from '../contract/generated/control.ts';
import { createTimeoutMessage } from './deadlines.ts';
import type { SendResult } from './send.ts';

/** The destination of a subscription whose deliveries only a listener receives. No server can have this name (RFC 2606). */
export const LISTENER_URL = 'https://xpk-listen.invalid/';
/** The name of a proxy's receiver. */
export const HOOK_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** What a listener gets of a delivery. */
type RelayedDelivery = components['schemas']['ListenedDelivery'];
export type RelayedAnswer = { readonly status: number; readonly retryAfter?: string } | { readonly error: string };

interface Listener {
  readonly send: (delivery: RelayedDelivery) => void;
  /** Called when a newer listener gets the deliveries, and when this one gets them again. */
  readonly onReplaced: (isReplaced: boolean) => void;
  readonly attempts: Map<string, (answer: RelayedAnswer) => void>;
}

export type Relay = ReturnType<typeof createRelay>;

/** Passes deliveries to listeners that have connected to this process, instead of sending them over HTTP. */
export function createRelay() {
  /** By subscription id or, at a proxy, by receiver. The listener that connected last gets the deliveries. */
  const listeners = new Map<string, Set<Listener>>();
  const getNewest = (to: string): Listener | undefined => [...(listeners.get(to) ?? [])].at(-1);
  return {
    has: (to: string): boolean => listeners.has(to),
    /** @returns a function that removes the listener, and ends its attempts without an answer */
    listen(to: string, send: Listener['send'], onReplaced: Listener['onReplaced']): () => void {
      const listener: Listener = { send, onReplaced, attempts: new Map() };
      getNewest(to)?.onReplaced(true);
      const all = listeners.get(to) ?? new Set();
      listeners.set(to, all.add(listener));
      return () => {
        const isNewest = getNewest(to) === listener;
        all.delete(listener);
        if (isNewest) getNewest(to)?.onReplaced(false);
        if (all.size === 0) listeners.delete(to);
        for (const end of listener.attempts.values()) end({ error: 'the listener disconnected before it answered' });
      };
    },
    /** @returns undefined if there is no listener */
    deliver(
      to: string,
      headers: Readonly<Record<string, string>>,
      body: string | Uint8Array,
      timeoutMs: number,
    ): Promise<SendResult> | undefined {
      const listener = getNewest(to);
      if (listener === undefined) return undefined;
      const startedAt = performance.now();
      const attemptId = randomUUID();
      const { promise, resolve } = Promise.withResolvers<SendResult>();
      const end = (answer: RelayedAnswer) => {
        clearTimeout(timer);
        listener.attempts.delete(attemptId);
        resolve({ ...answer, durationMs: Math.round(performance.now() - startedAt) });
      };
      const timer = setTimeout(end, timeoutMs, { error: createTimeoutMessage(timeoutMs) });
      listener.attempts.set(attemptId, end);
      listener.send({ attemptId, headers, body: Buffer.from(body).toString('base64'), timeoutMs });
      return promise;
    },
    /** Does nothing if the attempt has ended. */
    answer(to: string, attemptId: string, answer: RelayedAnswer): void {
      for (const { attempts } of listeners.get(to) ?? []) attempts.get(attemptId)?.(answer);
    },
  };
}
