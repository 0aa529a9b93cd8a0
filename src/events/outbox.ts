import { setTimeout as delay } from 'node:timers/promises';
import type { WorldState } from '../service/world-state.ts';
import { advance } from './advance.ts';
import { type Sendable, sendDuplicate } from './attempt.ts';
import type { StoredAttempt } from './attempt-runner.ts';
import type { DestinationMode } from './destination.ts';
import { createDispatcher, type DispatcherSettings } from './dispatcher.ts';
import { limitHistory } from './history.ts';
import { createLazySender } from './lazy-sender.ts';
import type { Relay } from './relay.ts';

interface OutboxSettings extends Omit<DispatcherSettings, 'sender' | 'relay' | 'random' | 'onError'> {
  readonly world: WorldState;
  readonly destinations: DestinationMode;
  readonly relay: Relay;
  /** The number of events, and of operators' changes, that are kept. */
  readonly historyCapacity?: number | undefined;
  readonly onError: (error: unknown, text: string) => void;
}

/** The maximum wall time that `stop` waits for delivery attempts, in milliseconds. */
const STOP_GRACE_MS = 500;

/** Delivers the stored events, and removes old ones. */
export function createOutbox({ destinations, historyCapacity, relay: { deliver }, onError, ...others }: OutboxSettings) {
  const { store, decisions, timeoutMs } = others;
  const settings = { ...others, relay: (...delivery: [string, Record<string, string>, string]) => deliver(...delivery, timeoutMs) };
  const sender = createLazySender({ mode: destinations, timeoutMs, acknowledgedBy: decisions['events.delivery.acknowledged-by'] });
  const dispatcher = createDispatcher({
    ...settings,
    sender,
    random: Math.random,
    onError: (error) => onError(error, 'the outbox could not be read or written'),
  });
  const stopRemoval = limitHistory({
    store,
    capacity: historyCapacity,
    onError: (error) => onError(error, 'old events could not be removed'),
  });
  return {
    start: () => dispatcher.start(),
    /** Calls the listener after each attempt. Returns a function that removes the listener. */
    observe: (listener: (attempted: StoredAttempt) => void) => dispatcher.observe(listener),
    /** Call this function after replacing the world. */
    forget: () => dispatcher.forget(),
    advance: (ms: number, maxWaitMs?: number) => advance(ms, { ...settings, dispatcher }, maxWaitMs),
    sendDuplicate: (delivery: Sendable) => sendDuplicate(delivery, { ...settings, sender }),
    async stop(): Promise<void> {
      const stopping = dispatcher.stop();
      await Promise.race([stopping, delay(STOP_GRACE_MS, undefined, { ref: false })]);
      // Aborts the attempts in flight. The next kit with the same store repeats them.
      await sender.close();
      await stopping;
      await stopRemoval();
    },
  };
}
