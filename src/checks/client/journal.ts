import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { components } from '../../contract/generated/control.ts';
import type { ControlClient } from '../../control-client/client.ts';
import { readMessages } from '../../control-client/messages.ts';
import type { Call } from './call.ts';
import type { Facts } from './judgement.ts';

/** Calls read from a journal, oldest first. */
export interface RecordedCalls {
  readonly calls: readonly Call[];
  readonly facts: Pick<Facts, 'missed' | 'complete'>;
}

/** The maximum `limit` that the control API allows. By default, a kit's journal contains at most this many entries. */
const MAX_ENTRIES = 1000;

/** @param since the number of the last entry to skip, or the kit time from which to read */
export async function readCalls(control: ControlClient, since: number | Date = 0): Promise<RecordedCalls> {
  const query = { limit: MAX_ENTRIES, ...(typeof since === 'number' && { since }) };
  const entries = (await control.GET('/_control/requests', { params: { query } })).data.reverse();
  const [oldest] = entries;
  if (typeof since === 'number') {
    const missed = oldest === undefined ? 0 : oldest.number - since - 1;
    return { calls: entries, facts: { missed, complete: since === 0 && missed === 0 } };
  }
  const isRelevant = ({ at }: Call) => Date.parse(at) >= since.getTime();
  // The journal removes its oldest entries first, so an entry before `since` proves that no entry after `since` was removed.
  const missed = oldest !== undefined && isRelevant(oldest) ? oldest.number - 1 : 0;
  return { calls: entries.filter(isRelevant), facts: { missed, complete: missed === 0 && oldest !== undefined && isRelevant(oldest) } };
}

interface FollowOptions {
  /** Called with each call when the kit has sent its response. */
  readonly onCall?: (call: Call) => void;
  /** Whether `stop` returns the calls. Default: true. */
  readonly keepsCalls?: boolean;
  readonly controlToken?: string | undefined;
}

/** Follows a kit's journal from now on, so that calls are kept even if they are later removed from the journal. */
export async function followCalls(url: string, { onCall, keepsCalls = true, controlToken }: FollowOptions = {}) {
  const calls: Call[] = [];
  let missed = 0;
  const { body } = await fetch(`${url}/_control/stream?only=requests`, {
    headers: controlToken === undefined ? {} : { 'x-control-token': controlToken },
  });
  const stream = Readable.fromWeb(body as ReadableStream);
  const last = randomBytes(16).toString('hex');

  async function readStream(): Promise<void> {
    for await (const { event, data } of readMessages(stream)) {
      if (event === 'dropped') missed += (data as components['schemas']['Dropped']).requests;
      else if ((data as Call).traceId === last) return;
      else {
        if (keepsCalls) calls.push(data as Call);
        onCall?.(data as Call);
      }
    }
    throw new Error('The stream of requests ended before it had sent all calls.');
  }
  const reading = readStream();
  // Prevents an unhandled rejection. `stop` awaits the same promise.
  reading.catch(() => {});
  return {
    /** Waits until all finished calls are in the journal, and returns them. */
    async stop(): Promise<RecordedCalls> {
      // `readStream` ends at this request's entry. A proxy does not forward this path.
      await fetch(`${url}/problems/proxy.cut`, { headers: { traceparent: `00-${last}-${last.slice(16)}-01` } });
      await reading;
      stream.destroy();
      return { calls, facts: { missed, complete: calls[0]?.number === 1 && missed === 0 } };
    },
  };
}
