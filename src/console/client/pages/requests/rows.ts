import { signal } from '@preact/signals';
import { call, type JournalEntry } from '../../kit/control.ts';
import { paceWork } from '../../kit/pace.ts';
import { onMessage } from '../../kit/stream.ts';

/** The request list's filters: query parameters of the page and of GET /_control/requests. */
export const filterNames = ['text', 'operation', 'status', 'credential', 'rule'] as const;
export type RequestFilter = { readonly [Name in (typeof filterNames)[number]]?: string };

/** To save memory, headers and bodies are loaded only for the details. */
export type Row = Omit<JournalEntry, 'request' | 'response' | 'oauth'>;

const PAGE_SIZE = 250;
/** The maximum number of new entries to load at once: about two screens of a tall window. */
const MAX_NEW_ROWS = 120;
/** Beyond this number, the oldest rows are removed. Scrolling loads them again. */
const MAX_ROWS = 100_000;

/** The journal's order is the order of the responses, in which a slow request is after later ones. */
const sortByArrival = (entries: readonly Row[]): readonly Row[] =>
  entries.toSorted((one, other) => (other.arrivedMs ?? 0) - (one.arrivedMs ?? 0) || other.number - one.number);

/** Loads the newest matching entries, then new ones as they arrive, and older ones on demand. */
export function followRows(filter: RequestFilter) {
  const rows = signal<readonly Row[] | undefined>(undefined);
  /** Entries that arrived while the user was reading, newest first. */
  const waiting = signal<readonly Row[]>([]);
  const error = signal<Error | undefined>(undefined);
  /** The number of the newest loaded journal entry. */
  let seen = 0;
  let newest = 0;
  /** The number of the last entry on the oldest loaded page. */
  let oldest: number | undefined;
  let isComplete = false;
  let isUserReading = false;
  /** Whether some entries between `rows` and `waiting` were not loaded. */
  let isGap = false;
  /** Fulfilled when all loads, which run one after the other, have ended. */
  let loads = Promise.resolve();

  function loadPage(
    getRange: () => { readonly since?: number; readonly before?: number } | undefined,
    onPage: (page: readonly Row[]) => void,
  ): Promise<void> {
    loads = loads.then(async () => {
      const range = getRange();
      if (range === undefined) return;
      // Entries that arrive during the request may be missing from the response.
      const announced = newest;
      try {
        const limit = range.since === undefined ? PAGE_SIZE : MAX_NEW_ROWS;
        const page = await call('listRequests', { ...filter, ...range, view: 'summary', limit });
        if (range.before === undefined) seen = Math.max(seen, announced, page[0]?.number ?? 0);
        onPage(page);
        error.value = undefined;
      } catch (cause) {
        error.value = cause as Error;
      }
    });
    return loads;
  }

  function restart(): Promise<void> {
    return loadPage(
      () => {
        seen = 0;
        return {};
      },
      (page) => {
        rows.value = sortByArrival(page);
        oldest = page.at(-1)?.number;
        waiting.value = [];
        isGap = false;
        isComplete = page.length < PAGE_SIZE;
      },
    );
  }

  const newRowLoader = paceWork(() =>
    loadPage(
      () => (rows.value !== undefined && newest > seen ? { since: seen } : undefined),
      (page) => {
        // If the page has the maximum length, some new entries may be missing. Scrolling down loads them.
        const hasGap = page.length === MAX_NEW_ROWS;
        if (isUserReading) {
          waiting.value = hasGap ? page : [...page, ...waiting.value];
          isGap ||= hasGap;
        } else showNewRows(page, hasGap);
      },
    ),
  );

  function showNewRows(newRows: readonly Row[], hasGap: boolean): void {
    if (newRows.length === 0) return;
    const before = hasGap ? [] : (rows.value ?? []);
    const all = sortByArrival([...newRows, ...before]);
    rows.value = all.slice(0, MAX_ROWS);
    if (hasGap || all.length > MAX_ROWS) isComplete = false;
    if (!isComplete) oldest = rows.value.reduce((least, { number }) => Math.min(least, number), Infinity);
  }

  const endRestarts = onMessage('loaded', restart);
  const end = onMessage('journal', (growth) => {
    const isNewJournal = growth.newest < newest;
    newest = growth.newest;
    const hasFailed = rows.value === undefined && error.value !== undefined;
    // A restarted kit numbers its entries from 1.
    if (isNewJournal || hasFailed) void restart();
    else newRowLoader.soon();
  });
  void restart();

  return {
    rows,
    waiting,
    error,
    loadOlder(): void {
      const before = oldest;
      void loadPage(
        // An earlier load may have added these entries already.
        () => (isComplete || before === undefined || oldest !== before ? undefined : { before }),
        (page) => {
          isComplete = page.length < PAGE_SIZE;
          oldest = page.at(-1)?.number ?? oldest;
          rows.value = sortByArrival([...(rows.value ?? []), ...page]).slice(0, MAX_ROWS);
        },
      );
    },
    holdRowsWhileReading(isReading: boolean): void {
      isUserReading = isReading;
      if (isReading || waiting.value.length === 0) return;
      showNewRows(waiting.value, isGap);
      waiting.value = [];
      isGap = false;
    },
    restart,
    close(): void {
      newRowLoader.stop();
      endRestarts();
      end();
    },
  };
}
