import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { components } from '../../contract/generated/control.ts';
import type { ControlClient } from '../../sdk/control.ts';
import type { Call } from './call.ts';
import type { Facts } from './judgement.ts';

/** The calls of a part of a journal, oldest first, with the facts that the journal shows about them. */
export interface Recorded {
  readonly calls: readonly Call[];
  readonly facts: Pick<Facts, 'missed' | 'complete'>;
}

/** The largest number of entries in one response of the control API, and the number of entries that the journal of `xpk start` keeps. */
const MAX_ENTRIES = 1000;

/**
 * Reads the calls that the journal of a running kit contains.
 * @param since the number of the last entry to leave out, or the kit time of the first entry
 */
export async function readCalls(control: ControlClient, since: number | Date = 0): Promise<Recorded> {
  const query = { limit: MAX_ENTRIES, ...(typeof since === 'number' && { since }) };
  const entries = (await control.GET('/_control/requests', { params: { query } })).data.reverse();
  const [oldest] = entries;
  if (typeof since === 'number') {
    const missed = oldest === undefined ? 0 : oldest.number - since - 1;
    return { calls: entries, facts: { missed, complete: since === 0 && missed === 0 } };
  }
  const isRelevant = ({ at }: Call) => Date.parse(at) >= since.getTime();
  // If the oldest entry is older than the time, no entry after the time was removed.
  const missed = oldest !== undefined && isRelevant(oldest) ? oldest.number - 1 : 0;
  return { calls: entries.filter(isRelevant), facts: { missed, complete: missed === 0 && oldest !== undefined && isRelevant(oldest) } };
}

/** Collects the calls to a kit while they happen. */
export interface Following {
  /** Waits for the entries of all calls that have ended, and returns the calls. */
  stop(): Promise<Recorded>;
}

/**
 * Follows the journal of a kit from now on, so that a journal of limited size loses no call.
 * @param url the base URL of a kit without a control token
 */
export async function followCalls(url: string): Promise<Following> {
  const calls: Call[] = [];
  let missed = 0;
  const { body } = await fetch(`${url}/_control/stream?only=requests`);
  const stream = Readable.fromWeb(body as ReadableStream);
  const last = randomBytes(16).toString('hex');

  async function read(): Promise<void> {
    let event = '';
    for await (const line of createInterface({ input: stream })) {
      if (line.startsWith('event: ')) event = line.slice('event: '.length);
      if (!line.startsWith('data: ')) continue;
      const data = JSON.parse(line.slice('data: '.length)) as Call | components['schemas']['Dropped'];
      if (event === 'dropped') missed += (data as components['schemas']['Dropped']).requests;
      else if ((data as Call).traceId === last) return;
      else calls.push(data as Call);
    }
    throw new Error('The stream of the kit ended before it had sent all calls.');
  }
  const reading = read();
  // The error is reported when the check waits for the calls.
  reading.catch(() => {});
  return {
    async stop() {
      // The stream sends the entry of this request after the entries of all calls, even if the journal was cleared.
      await fetch(url, { headers: { traceparent: `00-${last}-${last.slice(16)}-01` } });
      await reading;
      stream.destroy();
      return { calls, facts: { missed, complete: calls[0]?.number === 1 && missed === 0 } };
    },
  };
}
