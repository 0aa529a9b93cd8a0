import { randomUUID } from 'node:crypto';
import type { ResponseCause } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { createRing } from './ring.ts';

/** One request at a door and its answer, without secrets. */
export type JournalEntry = components['schemas']['JournalEntry'];

/** What the journal keeps: what is asked for often is there, the rest is made of it when somebody reads. */
export interface Recorded {
  readonly traceId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly operationId: string | undefined;
  /** Undefined where the connection ended without an answer. */
  readonly status: number | undefined;
  readonly cause?: ResponseCause | undefined;
  /** @param number counts the entries since the journal was made. */
  entry(number: number): JournalEntry;
}

/** What entries are looked for by; all that is given has to hold. */
export interface JournalFilter {
  readonly operation?: string | undefined;
  /** In any letter case. */
  readonly method?: string | undefined;
  /** Without query; `*` stands for any text. */
  readonly path?: string | undefined;
  /** A status, or a class of them such as `4xx`. */
  readonly status?: number | string | undefined;
  /** Only entries with a greater number. */
  readonly since?: number | undefined;
}

/** What comes after an entry. */
export interface Following {
  /** The oldest first. */
  readonly entries: readonly JournalEntry[];
  /** How many between that entry and these are not kept any more. */
  readonly missed: number;
}

/** An entry with what only explanations need. */
export interface EntryWithCause {
  readonly entry: JournalEntry;
  readonly cause: ResponseCause | undefined;
  /** Older entries of the same trace, the newest first. */
  readonly others: readonly JournalEntry[];
}

/** What happened at the doors: the last entries, in the order of the answers. It is this process's alone. */
export interface Journal {
  /** Tells it from the journals of other processes, whose numbers are others. */
  readonly run: string;
  /** The number of the newest entry, kept or not; 0 before the first. */
  readonly newest: number;
  add(recorded: Recorded): void;
  /** The newest entry of the trace: a client may send several requests under one. */
  find(traceId: string): JournalEntry | undefined;
  /** The same entry, with why it got its response and with the older entries of its trace. */
  findWithCause(traceId: string): EntryWithCause | undefined;
  /** The newest first, `limit` (default 100) at most. */
  list(query?: JournalFilter & { readonly limit?: number | undefined }): JournalEntry[];
  /** Those after this number, `limit` at most. */
  following(number: number, limit: number): Following;
  /** Forgets all; numbers go on. */
  clear(): void;
  /**
   * Waits for an entry, so that a test need not sleep. Without `since` one that is there already counts, the newest: the request may have been faster
   * than whoever waits for it. With `since` it is the first after that number.
   *
   * @param timeoutMs wall milliseconds. @returns undefined where none came in time, or the journal was closed.
   */
  wait(filter: JournalFilter, timeoutMs: number): Promise<JournalEntry | undefined>;
  /** Tells of every entry from now on, a little after it was added. The listener must not throw. @returns what ends it. */
  subscribe(listener: (entry: JournalEntry) => void): () => void;
  /** Ends all that wait. */
  close(): void;
}

type Kept = { readonly number: number; readonly recorded: Recorded };
type Listener = (kept: Kept) => void;

/** @param options capacity: how many entries are kept, the oldest go first. @throws RangeError where that is no whole number above 0. */
export function createJournal({ capacity = 1000 }: { readonly capacity?: number } = {}): Journal {
  const ring = createRing<Kept>(capacity);
  const listeners = new Set<Listener>();
  const waiting = new Set<() => void>();
  let count = 0;
  let closed = false;

  const newestOf = (traceId: string) => ring.newestFirst().filter(({ recorded }) => recorded.traceId === traceId);

  function tellAll(kept: Kept): void {
    for (const tell of [...listeners]) tell(kept);
  }

  return {
    run: randomUUID(),
    get newest() {
      return count;
    },
    add(recorded) {
      const kept = { number: ++count, recorded };
      ring.push(kept);
      // Later: the recorder still has to say how far the request came, and its body may be on its way.
      if (listeners.size > 0) setImmediate(tellAll, kept);
    },
    find: (traceId) => newestOf(traceId).map(shown).next().value,
    findWithCause(traceId) {
      const [newest, ...others] = newestOf(traceId);
      return newest && { entry: shown(newest), cause: newest.recorded.cause, others: others.map(shown) };
    },
    list: ({ limit = 100, ...filter } = {}) => ring.newestFirst().filter(matcher(filter)).take(limit).map(shown).toArray(),
    following(number, limit) {
      if (number >= count) return { entries: [], missed: 0 };
      const after = ring.newestFirst().filter((kept) => kept.number > number);
      const next = after.toArray().reverse().slice(0, limit);
      return { entries: next.map(shown), missed: (next[0]?.number ?? count + 1) - number - 1 };
    },
    clear: ring.clear,
    wait(filter, timeoutMs) {
      const matches = matcher(filter);
      const there = ring.newestFirst().filter(matches).toArray();
      const first = filter.since === undefined ? there[0] : there.at(-1);
      if (first || timeoutMs <= 0 || closed) return Promise.resolve(first && shown(first));
      return new Promise((resolve) => {
        const end = (kept?: Kept) => {
          clearTimeout(timer);
          listeners.delete(listen);
          waiting.delete(end);
          resolve(kept && shown(kept));
        };
        const listen = (kept: Kept) => {
          if (matches(kept)) end(kept);
        };
        const timer = setTimeout(end, timeoutMs);
        listeners.add(listen);
        waiting.add(end);
      });
    },
    subscribe(listener) {
      const listen = (kept: Kept) => listener(shown(kept));
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    close() {
      closed = true;
      for (const end of [...waiting]) end();
    },
  };
}

const shown = ({ number, recorded }: Kept): JournalEntry => recorded.entry(number);

function matcher({ operation, method, path, status, since = 0 }: JournalFilter): (kept: Kept) => boolean {
  const wanted = String(status).toLowerCase();
  const verb = method?.toUpperCase();
  const paths = path === undefined ? undefined : patternOf(path);
  return ({ number, recorded }) =>
    number > since &&
    (verb === undefined || recorded.method === verb) &&
    (status === undefined || String(recorded.status) === wanted || `${String(recorded.status)[0]}xx` === wanted) &&
    (operation === undefined || recorded.operationId === operation) &&
    (paths === undefined || paths.test(recorded.path.split('?', 1)[0] as string));
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\*+/).map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
