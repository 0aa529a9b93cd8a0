import { signal } from '@preact/signals';
import { control, dataOf, type JournalEntry } from '../../kit/control.ts';
import { onMessage } from '../../kit/stream.ts';
import { matches, type RequestFilter } from './filter.ts';

/** What the list shows of an entry. Headers and bodies are loaded with the detail, so that many rows take little memory. */
export type Row = Omit<JournalEntry, 'request' | 'response' | 'oauth'>;

const PAGE = 250;
/** The oldest rows are dropped beyond this number. Scrolling loads them again. */
const MOST_ROWS = 100_000;
/** Arriving entries are collected for this time, so that the list is drawn a few times in a second. */
const COLLECT_MS = 200;

export type Rows = ReturnType<typeof followRows>;

/** Loads the newest entries that match a filter, follows the stream, and loads older entries on demand. */
export function followRows(filter: RequestFilter) {
  const rows = signal<readonly Row[] | undefined>(undefined);
  /** Entries that have arrived while the list is held, the newest first. */
  const waiting = signal<readonly Row[]>([]);
  const error = signal<Error | undefined>(undefined);
  let isComplete = false;
  let isHeld = false;
  let isLoading = false;
  let arrived: Row[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function load(before?: number): Promise<void> {
    if (isLoading || isClosed) return;
    isLoading = true;
    try {
      const query = { ...filter, view: 'summary', limit: PAGE, ...(before !== undefined && { before }) } as const;
      const page = await dataOf(control.GET('/_control/requests', { params: { query } }));
      isComplete = page.length < PAGE;
      if (before === undefined) {
        // What has arrived in the meantime is also in the stream.
        const newest = page[0]?.number ?? 0;
        rows.value = [...(rows.value ?? []).filter(({ number }) => number > newest), ...page];
      } else rows.value = [...(rows.value ?? []), ...page];
      error.value = undefined;
    } catch (cause) {
      error.value = cause as Error;
    } finally {
      isLoading = false;
    }
  }

  function flush(): void {
    timer = undefined;
    const newest = arrived.reverse();
    arrived = [];
    if (isHeld) waiting.value = [...newest, ...waiting.value].slice(0, MOST_ROWS);
    else prepend(newest);
  }

  function prepend(newest: readonly Row[]): void {
    const before = rows.value ?? [];
    if (before.length + newest.length > MOST_ROWS) isComplete = false;
    rows.value = [...newest, ...before].slice(0, MOST_ROWS);
  }

  const ends = [
    onMessage('request', (entry) => {
      const newest = arrived.at(-1)?.number ?? waiting.value[0]?.number ?? rows.value?.[0]?.number ?? 0;
      // A kit that was started again numbers its entries from 1.
      if (entry.number <= newest) {
        if (entry.number === 1) restart();
        return;
      }
      if (!matches(entry, filter)) return;
      const { request, response, oauth, ...row } = entry;
      arrived.push(row);
      timer ??= setTimeout(flush, COLLECT_MS);
    }),
    onMessage('dropped', () => restart()),
  ];

  function restart(): void {
    rows.value = undefined;
    waiting.value = [];
    arrived = [];
    void load();
  }

  void load();
  return {
    rows,
    waiting,
    error,
    /** Loads the entries before the oldest row. */
    loadOlder: () => (isComplete || rows.value === undefined ? undefined : void load(rows.value.at(-1)?.number)),
    /** While the list is held, arriving entries wait, so that the rows that somebody reads do not move. */
    hold(held: boolean) {
      isHeld = held;
      if (held || waiting.value.length === 0) return;
      prepend(waiting.value);
      waiting.value = [];
    },
    restart,
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const end of ends) end();
    },
  };
}
