import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { createAlarm } from '../clock/alarm.ts';
import { isUnavailable } from '../store/errors.ts';
import type { ControlDeps } from './handler.ts';

export const ENTRY_KINDS = ['requests', 'events', 'deliveries'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The last entry of each kind that a stream has sent. Message ids contain it, so that a new stream can continue after a message. */
export interface Position {
  /** The request's number in the journal. */
  readonly requests: number;
  /** The event id. Ids are in chronological order. */
  readonly events: string;
  readonly deliveries: string;
}

export interface Entry {
  readonly kind: EntryKind;
  readonly event: string;
  readonly data: object;
  /** The entry's position among the entries of the same kind. */
  readonly at: number | string;
}

/**
 * Reads at most one batch of each of the given kinds, starting after a position.
 * @returns `before`: only ids below this one were read (see `Database.findMinimumFutureId`); `hasAllRequests`: false if the journal has
 * more requests
 */
export type ReadEntries = (
  position: Position,
  kinds: ReadonlySet<EntryKind>,
  deps: ControlDeps,
) => Promise<{ readonly entries: readonly Entry[]; readonly before: string; readonly hasAllRequests: boolean }>;

/** Older entries are read from the database. */
const MAX_KEPT_ENTRIES = 1000;
/** How long to wait, in milliseconds of wall time, while open transactions may add entries or the database is unavailable. */
const RETRY_MS = 50;
/** The delay between reads grows with the number of readers, because new entries wake every reader. */
const getReadDelayMs = (readerCount: number) => Math.min(50, readerCount / 20);
/** The number of readers to notify before the process continues with other work. */
const READERS_PER_BATCH = 32;

const START_POSITION: Position = { requests: 0, events: '', deliveries: '' };

const feedByDatabase = new WeakMap<ControlDeps, Feed>();

export function getFeed(deps: ControlDeps, read: ReadEntries): Feed {
  const feed = feedByDatabase.get(deps) ?? new Feed(deps, read);
  feedByDatabase.set(deps, feed);
  return feed;
}

/** Reads each new entry only once, even if there are many streams, and keeps the latest entries in memory. */
class Feed {
  readonly #deps: ControlDeps;
  readonly #read: ReadEntries;
  readonly #alarm = createAlarm(0);
  readonly #waiting = new Set<() => void>();
  #readers = 0;
  /** The number of readers of journal entries. If it is 0, the feed does not read the journal. */
  #requestReaders = 0;
  #endRequests = () => {};
  #requestsStarted: Promise<void> = Promise.resolve();
  /** Whether the journal may contain requests that the feed has not read. */
  #requestsChanged = false;
  #isRunning = false;
  #failure: unknown = undefined;
  #entries: Entry[] = [];
  #dropped = 0;
  /** The position before the first entry in memory. */
  #floor: Position = START_POSITION;
  #position: Position = START_POSITION;
  /** An id that was generated after the latest change. The feed must read all entries with smaller ids. Undefined if it has read them. */
  #changed: string | undefined = undefined;

  constructor(deps: ControlDeps, read: ReadEntries) {
    this.#deps = deps;
    this.#read = read;
  }

  async readNewestPosition(): Promise<Position> {
    const requests = await this.#deps.journal.readNewestNumber();
    const now = this.#deps.ids.uuid();
    return { requests, events: now, deliveries: now };
  }

  /** The feed contains all entries after this position. */
  get floor(): Position {
    return this.#floor;
  }

  hasAllEntriesAfter(position: Position, kinds: ReadonlySet<EntryKind>): boolean {
    return [...kinds].every((kind) => position[kind] >= this.#floor[kind]);
  }

  get length(): number {
    return this.#dropped + this.#entries.length;
  }

  /** The entries that follow the first `seen` entries, except those that are no longer in memory. */
  getEntriesSince(seen: number): readonly Entry[] {
    return this.#entries.slice(Math.max(0, seen - this.#dropped));
  }

  /** Returns a function that removes the reader. */
  async addReader(kinds: ReadonlySet<EntryKind>): Promise<() => void> {
    const readsRequests = kinds.has('requests');
    this.#readers += 1;
    if (!this.#isRunning) void this.#run();
    const close = () => {
      if (readsRequests && --this.#requestReaders === 0) this.#endRequests();
      if (--this.#readers === 0) this.#alarm.wake();
    };
    if (readsRequests && ++this.#requestReaders === 1) this.#requestsStarted = this.#startRequests();
    try {
      if (readsRequests) await this.#requestsStarted;
    } catch (error) {
      close();
      throw error;
    }
    return close;
  }

  async #startRequests(): Promise<void> {
    const { journal } = this.#deps;
    const requests = await journal.readNewestNumber();
    this.#floor = { ...this.#floor, requests };
    this.#position = { ...this.#position, requests };
    const changed = () => {
      this.#requestsChanged = true;
      this.#alarm.wake();
    };
    const unsubscribe = journal.subscribe(changed);
    this.#endRequests = () => {
      unsubscribe();
      this.#requestsChanged = false;
    };
    changed();
  }

  /** Resolves when the feed has more than `seen` entries, or on an abort. @throws the error that has ended the feed */
  async waitForMore(seen: number, ended: AbortSignal): Promise<void> {
    if (this.length === seen && this.#isRunning && !ended.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = () => resolve();
      this.#waiting.add(wake);
      ended.addEventListener('abort', wake);
      await promise;
      ended.removeEventListener('abort', wake);
      this.#waiting.delete(wake);
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #run(): Promise<void> {
    const { store, ids } = this.#deps;
    this.#isRunning = true;
    this.#failure = undefined;
    const now = ids.uuid();
    this.#floor = this.#position = { ...this.#position, events: now, deliveries: now };
    this.#dropped = this.length;
    this.#entries = [];
    const unsubscribe = store.changes.subscribe((change) => {
      if (change === 'requests') return;
      this.#changed = ids.uuid();
      this.#alarm.wake();
    });
    try {
      while (this.#readers > 0) {
        this.#alarm.start();
        await this.#alarm.rest(await this.#step());
        if (this.#readers > 0) await delay(getReadDelayMs(this.#readers));
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#isRunning = false;
      unsubscribe();
      await this.#wakeReaders();
    }
  }

  /** @returns the milliseconds until the next call; undefined to wait for a change */
  async #step(): Promise<number | undefined> {
    const changed = this.#changed;
    const kinds = new Set<EntryKind>(changed === undefined ? [] : ['events', 'deliveries']);
    if (this.#requestsChanged) kinds.add('requests');
    if (kinds.size === 0) return undefined;
    this.#requestsChanged = false;
    const { entries, before, hasAllRequests } = await this.#read(this.#position, kinds, this.#deps).catch((error: unknown) => {
      if (isUnavailable(error)) return { entries: [], before: '', hasAllRequests: false };
      throw error;
    });
    if (kinds.has('requests') && !hasAllRequests) this.#requestsChanged = true;
    this.#add(entries);
    if (entries.length > 0) {
      await this.#wakeReaders();
      return 0;
    }
    // On PostgreSQL, an open transaction can still add an entry with an id below `changed`.
    if (this.#requestsChanged || (changed !== undefined && before <= changed)) return RETRY_MS;
    if (this.#changed === changed) this.#changed = undefined;
    return undefined;
  }

  #add(entries: readonly Entry[]): void {
    for (const { kind, at } of entries) this.#position = { ...this.#position, [kind]: at };
    this.#entries.push(...entries);
    for (const { kind, at } of this.#entries.splice(0, this.#entries.length - MAX_KEPT_ENTRIES)) {
      this.#dropped += 1;
      // Entries before a time without readers of requests are older than the floor.
      if (at > this.#floor[kind]) this.#floor = { ...this.#floor, [kind]: at };
    }
  }

  async #wakeReaders(): Promise<void> {
    let woken = 0;
    for (const wake of [...this.#waiting]) {
      wake();
      if (++woken % READERS_PER_BATCH === 0) await nextTurn();
    }
  }
}
