import type { RequestListener, ServerResponse } from 'node:http';
import type { JournalEntry } from '../journal/entry.ts';
import type { RunningWorld } from '../running-world.ts';
import type { WorldRecord, WorldRecords, WorldSource } from '../store/world-records.ts';
import { MAX_REQUESTS } from './ended.ts';

/** How long the end of a world waits for its requests, in milliseconds. */
const GRACE_MS = 5000;

interface Parts {
  readonly record: WorldRecord;
  readonly source: WorldSource;
  readonly world: RunningWorld;
  /** The world's app. */
  readonly listener: RequestListener;
  /** Ends the world's streams. */
  readonly ending: AbortController;
  readonly records: WorldRecords;
}

/** A world that answers requests at this replica. */
export type WorldLife = ReturnType<typeof beginLife>;

export function beginLife({ record, source, world, listener, ending, records }: Parts) {
  /** The responses that have not ended. */
  const open = new Set<ServerResponse>();
  const touch = () => records.touch(record, { isOpen: () => open.size > 0, readWorld: world.name });
  let closing: Promise<readonly JournalEntry[]> | undefined;

  async function close(isEnded: boolean): Promise<readonly JournalEntry[]> {
    await world.stopChecks();
    ending.abort();
    const deadline = setTimeout(() => {
      for (const res of open) res.destroy();
    }, GRACE_MS);
    await Promise.all([...open].map((res) => new Promise((resolve) => res.once('close', resolve))));
    clearTimeout(deadline);
    const requests = isEnded ? await world.listRequests(MAX_REQUESTS).catch(() => []) : [];
    await world.close();
    await records.release(record.id);
    return requests;
  }

  return {
    record,
    source,
    world,
    listener(req, res) {
      open.add(res);
      touch();
      res.once('close', () => {
        open.delete(res);
        touch();
      });
      listener(req, res);
    },
    /** Call this function before idle worlds end. */
    touchIfOpen: () => void (open.size > 0 && touch()),
    /**
     * Waits for the requests for at most five seconds.
     * @param isEnded whether the world has ended, and not only this process
     * @returns if so, the latest entries in the journal
     */
    close: (isEnded: boolean) => (closing ??= close(isEnded)),
  } satisfies { listener: RequestListener } & Record<string, unknown>;
}
