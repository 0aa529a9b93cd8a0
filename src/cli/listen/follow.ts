import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { components } from '../../contract/generated/control.ts';
import type { Problem } from '../../control-client/errors.ts';
import { readMessages } from '../../control-client/messages.ts';
import { RefusedError } from '../control-client.ts';

type Schemas = components['schemas'];

interface Handlers {
  onListening(listening: Schemas['Listening']): void;
  /** Another listener gets the deliveries until it ends. */
  onReplaced(): void;
  onDelivery(delivery: Schemas['ListenedDelivery']): void;
}

/** The kit sends at least a comment every second. Without one, the connection is lost, for example because the machine slept. */
const MAX_SILENCE_MS = 15_000;

/**
 * Follows a subscription's deliveries until the stream ends.
 * @returns why the kit cannot be reached at the moment; undefined if the stream has ended
 * @throws RefusedError if connecting again would not help
 */
export async function followDeliveries(
  { url, controlToken }: { readonly url: string; readonly controlToken: string | undefined },
  subscription: string,
  signal: AbortSignal,
  { onListening, onReplaced, onDelivery }: Handlers,
): Promise<string | undefined> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error('no sign of life')), MAX_SILENCE_MS);
  try {
    const response = await fetch(`${url}/_control/subscriptions/${encodeURIComponent(subscription)}/listen`, {
      headers: controlToken === undefined ? {} : { 'x-control-token': controlToken },
      signal: AbortSignal.any([signal, silence.signal]),
      redirect: 'manual',
    });
    if (response.status !== 200) return await refuse(url, response);
    const stream = Readable.fromWeb(response.body as ReadableStream).on('data', () => timer.refresh());
    for await (const { event, data } of readMessages(stream)) {
      if (event === 'listening') onListening(data as Schemas['Listening']);
      if (event === 'replaced') onReplaced();
      if (event === 'delivery') onDelivery(data as Schemas['ListenedDelivery']);
    }
    return undefined;
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    const { cause, message } = error as Error;
    return ((cause as Error | undefined) ?? { message }).message;
  } finally {
    clearTimeout(timer);
  }
}

async function refuse(url: string, response: Response): Promise<string> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  if (response.status < 500 && typeof problem.title === 'string') throw new RefusedError(url, problem as Problem);
  return `status ${response.status}`;
}
