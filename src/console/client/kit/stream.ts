import { signal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { kitUrl, type Schemas, sendRequest } from './control.ts';

export interface Messages {
  /** The journal has new requests. The message does not contain them, because there may be thousands. */
  journal: Schemas['JournalGrowth'];
  event: Schemas['PublishedEvent'];
  delivery: Schemas['EndedAttempt'];
  check: Schemas['Check'];
  /** Sent by this module when the stream is connected or another world was loaded: earlier changes may have been missed. */
  connected: undefined;
  /** Sent by this module, together with `connected`, when another world was loaded. */
  loaded: undefined;
}

type Listeners = { readonly [Type in keyof Messages]: Set<(data: Messages[Type]) => void> };
const listeners: Listeners = {
  ...{ journal: new Set(), event: new Set(), delivery: new Set(), check: new Set() },
  ...{ connected: new Set(), loaded: new Set() },
};

export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');

/** @returns a function that removes the listener */
export function onMessage<Type extends keyof Messages>(type: Type, listener: (data: Messages[Type]) => void): () => void {
  listeners[type].add(listener);
  return () => void listeners[type].delete(listener);
}

const RETRY_MS = 1000;

/** After a lost connection, continues after the last message. */
export async function followStream(): Promise<never> {
  let last: string | undefined;
  let load: string | undefined;
  onMessage('journal', (growth) => {
    if (load !== undefined && load !== growth.load) for (const type of ['connected', 'loaded'] as const) notifyListeners(type, undefined);
    load = growth.load;
  });
  for (;;) {
    try {
      const headers = last === undefined ? {} : { 'last-event-id': last };
      const response = await sendRequest(new Request(`${kitUrl}/_control/stream?only=journal,events,deliveries,checks`, { headers }));
      if (!response.ok || response.body === null) throw new Error(`The stream was refused with ${response.status}.`);
      connection.value = 'live';
      notifyListeners('connected', undefined);
      const reader = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const { id, event, data } = next.value;
        last = id ?? last;
        if (event !== undefined && event in listeners) notifyListeners(event as keyof Messages, JSON.parse(data));
      }
    } catch {
      // The loop connects again, whatever the reason was.
    }
    connection.value = 'lost';
    await new Promise((wait) => setTimeout(wait, RETRY_MS));
  }
}

function notifyListeners<Type extends keyof Messages>(type: Type, data: Messages[Type]): void {
  for (const listener of listeners[type]) listener(data);
}
