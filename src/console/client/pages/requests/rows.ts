import { signal } from '@preact/signals';
import { control, dataOf, type JournalEntry } from '../../kit/control.ts';
import { paced } from '../../kit/pace.ts';
import { onMessage } from '../../kit/stream.ts';
import type { RequestFilter } from './filter.ts';

/** What the list shows of an entry. Headers and bodies are loaded with the detail, so that many rows take little memory. */
export type Row = Omit<JournalEntry, 'request' | 'response' | 'oauth'>;

const PAGE = 250;
/** The most new entries that are loaded at once: twice as many as the tallest window shows. */
const MOST_NEW = 120;
/** The oldest rows are dropped beyond this number. Scrolling loads them again. */
const MOST_ROWS = 100_000;

export type Rows = ReturnType<typeof followRows>;

/** Loads the newest entries that match a filter, then newer ones when the journal grows, and older ones on demand. */
export function followRows(filter: RequestFilter) {
  const rows = signal<readonly Row[] | undefined>(undefined);
  /** Entries that have arrived while the list is held, the newest first. */
  const waiting = signal<readonly Row[]>([]);
  const error = signal<Error | undefined>(undefined);
  /** The number of the newest entry of the journal that has been looked at. */
  let seen = 0;
  let newest = 0;
  let isComplete = false;
  let isHeld = false;
  /** Whether there are entries between those that wait and the rows. */
  let isGap = false;
  /** All loads, one after the other. */
  let loads = Promise.resolve();

  function load(
    range: () => { readonly since?: number; readonly before?: number } | undefined,
    use: (page: readonly Row[]) => void,
  ): Promise<void> {
    loads = loads.then(async () => {
      const given = range();
      if (given === undefined) return;
      // Entries that arrive while the page is read may be missing in it.
      const announced = newest;
      try {
        const limit = given.since === undefined ? PAGE : MOST_NEW;
        const query = { ...filter, ...given, view: 'summary', limit } as const;
        const page = await dataOf(control.GET('/_control/requests', { params: { query } }));
        if (given.before === undefined) seen = Math.max(seen, announced, page[0]?.number ?? 0);
        use(page);
        error.value = undefined;
      } catch (cause) {
        error.value = cause as Error;
      }
    });
    return loads;
  }

  function restart(): void {
    void load(
      () => {
        seen = 0;
        return {};
      },
      (page) => {
        rows.value = page;
        waiting.value = [];
        isGap = false;
        isComplete = page.length < PAGE;
      },
    );
  }

  const newer = paced(() =>
    load(
      () => (rows.value !== undefined && newest > seen ? { since: seen } : undefined),
      (page) => {
        // There are probably more new entries. Their older part is loaded when somebody scrolls to it.
        const skipsSome = page.length === MOST_NEW;
        if (isHeld) {
          waiting.value = skipsSome ? page : [...page, ...waiting.value];
          isGap ||= skipsSome;
        } else show(page, skipsSome);
      },
    ),
  );

  function show(newer: readonly Row[], skipsSome: boolean): void {
    if (newer.length === 0) return;
    const before = skipsSome ? [] : (rows.value ?? []);
    if (skipsSome || before.length + newer.length > MOST_ROWS) isComplete = false;
    rows.value = [...newer, ...before].slice(0, MOST_ROWS);
  }

  const end = onMessage('journal', (growth) => {
    const isNewJournal = growth.newest < newest;
    newest = growth.newest;
    // A kit that was started again numbers its entries from 1.
    if (isNewJournal) restart();
    else newer.soon();
  });
  restart();

  return {
    rows,
    waiting,
    error,
    /** Loads the entries before the oldest row. */
    loadOlder(): void {
      const oldest = rows.value?.at(-1)?.number;
      void load(
        // An earlier load may have added these entries already.
        () => (isComplete || oldest === undefined || rows.value?.at(-1)?.number !== oldest ? undefined : { before: oldest }),
        (page) => {
          isComplete = page.length < PAGE;
          rows.value = [...(rows.value ?? []), ...page].slice(0, MOST_ROWS);
        },
      );
    },
    /** While the list is held, arriving entries wait, so that the rows that somebody reads do not move. */
    hold(held: boolean): void {
      isHeld = held;
      if (held || waiting.value.length === 0) return;
      show(waiting.value, isGap);
      waiting.value = [];
      isGap = false;
    },
    restart,
    close(): void {
      newer.stop();
      end();
    },
  };
}
