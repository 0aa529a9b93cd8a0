import { setTimeout as delay } from 'node:timers/promises';
import { didYouMean } from '../contract/did-you-mean.ts';
import { type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { isUuid } from '../contract/uuid.ts';
import type { EventStream } from '../http/event-stream.ts';
import { waitForChange } from '../store/changes.ts';
import { type IdRange, listAttemptsAfter, listEventsAfter } from '../store/delivery-list.ts';
import { isUnavailable } from '../store/errors.ts';
import { toAttempt, toEvent } from './delivery-views.ts';
import { ENTRY_KINDS, type Entry, type EntryKind, getFeed, type Position } from './feed.ts';
import { type ControlDeps, type ControlHandlers, refuseRequest } from './handler.ts';

type Schemas = components['schemas'];

/** The maximum number of messages of each kind in one read. */
const BATCH_SIZE = 50;
/** The kind of message that contains only the newest journal entry's number. These messages do not come from the feed. */
const JOURNAL_KIND = 'journal';
const CHECKS_KIND = 'checks';
/** The time between two reports about the journal, in milliseconds of wall time. */
const JOURNAL_REPORT_INTERVAL_MS = 250;
/** How long a stream of checks waits for a change, in milliseconds of wall time. */
const MAX_CHANGE_WAIT_MS = 60_000;
/** The time between two reads during a database outage, in milliseconds of wall time. */
const OUTAGE_RETRY_MS = 500;

/**
 * All streams share one feed, which has only the latest entries in memory. A slow stream reads older entries itself, and reports how many
 * entries were already removed from the journal.
 */
export const streamHandlers: Pick<ControlHandlers, 'streamEverything'> = {
  async streamEverything({ query, lastEventId }, deps) {
    const kinds = parseKinds(query.only);
    if (isFailure(kinds)) return kinds;
    const start = lastEventId ? parsePosition(lastEventId, deps) : await getFeed(deps, readEntriesAfter).readNewestPosition();
    if (isFailure(start)) return start;
    const followed = new Set(kinds.filter((kind): kind is EntryKind => kind !== JOURNAL_KIND && kind !== CHECKS_KIND));
    return {
      async stream(to) {
        const parts = [
          followed.size > 0 && followFeed(to, followed, start, deps),
          kinds.includes(JOURNAL_KIND) && reportJournal(to, deps),
          kinds.includes(CHECKS_KIND) && reportChecks(to, deps),
        ];
        await Promise.all(parts);
      },
    };
  },
};

async function reportJournal(to: EventStream, { journal, world }: ControlDeps): Promise<void> {
  for (
    let sent: Schemas['JournalGrowth'] | undefined;
    !to.ended.aborted;
    await delay(JOURNAL_REPORT_INTERVAL_MS, undefined, { signal: to.ended })
  ) {
    await ignoreOutage(world.refresh());
    const data = { newest: await journal.readNewestNumber(), load: world.load };
    if (data.newest === sent?.newest && data.load === sent.load) continue;
    sent = data;
    await to.send({ event: JOURNAL_KIND, data });
  }
}

/** Sends every check first, and then each check that has changed. */
async function reportChecks(to: EventStream, { checks }: ControlDeps): Promise<void> {
  const sent = new Map<string, string>();
  while (!to.ended.aborted) {
    const seen = checks.changes.count;
    for (const check of checks.list().reverse()) {
      const text = JSON.stringify(check);
      if (sent.get(check.id) === text) continue;
      sent.set(check.id, text);
      await to.send({ event: 'check', data: check });
    }
    await waitForChange(checks.changes, seen, MAX_CHANGE_WAIT_MS, to.ended);
  }
}

async function followFeed(to: EventStream, kinds: ReadonlySet<EntryKind>, start: Position, deps: ControlDeps): Promise<void> {
  const feed = getFeed(deps, readEntriesAfter);
  const close = await feed.addReader(kinds);
  let position = start;
  let seen = 0;
  try {
    while (!to.ended.aborted) {
      const { length, floor } = feed;
      const isCovered = feed.hasAllEntriesAfter(position, kinds);
      // The stream must survive a database outage, because an EventSource does not reconnect after a 503.
      const entries = isCovered ? feed.getEntriesSince(seen) : (await ignoreOutage(readEntriesAfter(position, kinds, deps)))?.entries;
      for (const { kind, at, event, data } of entries ?? []) {
        if (!kinds.has(kind) || at <= position[kind]) continue;
        position = { ...position, [kind]: at };
        await to.send({ id: formatPosition(position, deps), event, data });
      }
      if (isCovered) {
        seen = length;
        await feed.waitForMore(seen, to.ended);
      } else if (entries === undefined) await delay(OUTAGE_RETRY_MS, undefined, { signal: to.ended });
      // After an empty read, the client has every entry up to `floor`.
      else if (entries.length === 0) position = selectLatest(position, floor);
    }
  } finally {
    close();
  }
}

/** Returns undefined if the database is unavailable. */
async function ignoreOutage<Result>(reading: Promise<Result> | undefined): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isUnavailable(error)) return undefined;
    throw error;
  }
}

function selectLatest(first: Position, second: Position): Position {
  return {
    requests: Math.max(first.requests, second.requests),
    events: first.events > second.events ? first.events : second.events,
    deliveries: first.deliveries > second.deliveries ? first.deliveries : second.deliveries,
  };
}

async function readEntriesAfter(position: Position, kinds: ReadonlySet<EntryKind>, { journal, store }: ControlDeps) {
  const entries: Entry[] = [];
  let hasAllRequests = true;
  if (kinds.has('requests')) {
    const next = await journal.listAfter(position.requests, BATCH_SIZE);
    hasAllRequests = next.isComplete;
    const dropped: Schemas['Dropped'] = { requests: next.missed };
    if (next.missed > 0) entries.push({ kind: 'requests', event: 'dropped', data: dropped, at: position.requests + next.missed });
    for (const entry of next.entries) entries.push({ kind: 'requests', event: 'request', data: entry, at: entry.number });
  }
  if (!kinds.has('events') && !kinds.has('deliveries')) return { entries, before: '', hasAllRequests };
  const before = await store.findMinimumFutureId(Date.now());
  const createIdRange = (after: string): IdRange => ({ after, before, limit: BATCH_SIZE });
  if (kinds.has('events'))
    for (const row of await listEventsAfter(store.db, createIdRange(position.events)))
      entries.push({ kind: 'events', event: 'event', data: toEvent(row), at: row.id });
  if (kinds.has('deliveries'))
    for (const row of await listAttemptsAfter(store.db, createIdRange(position.deliveries)))
      entries.push({ kind: 'deliveries', event: 'delivery', data: toEndedAttempt(row), at: row.id });
  return { entries, before, hasAllRequests };
}

function toEndedAttempt(row: Awaited<ReturnType<typeof listAttemptsAfter>>[number]): Schemas['EndedAttempt'] {
  return {
    ...toAttempt(row),
    deliveryId: row.deliveryId,
    subscriptionId: row.subscription_id,
    type: row.type,
    entityId: row.entity_id,
    state: row.state,
  };
}

function parseKinds(only: string | undefined): readonly (EntryKind | typeof JOURNAL_KIND | typeof CHECKS_KIND)[] | GateFailure {
  if (only === undefined) return ENTRY_KINDS;
  const kinds = only.split(',').map((name) => name.trim());
  const known = [...ENTRY_KINDS, CHECKS_KIND, JOURNAL_KIND] as const;
  const unknown = kinds.find((name) => !(known as readonly string[]).includes(name));
  if (unknown === undefined) return kinds as (typeof known)[number][];
  const hint = didYouMean(unknown, known) || ` It must be one or more of ${known.join(', ')}, separated by commas.`;
  return refuseRequest('invalid', `The parameter "only" cannot contain "${unknown}".${hint}`);
}

const POSITION_PATTERN = /^([^.]+)\.(\d{1,15})\.([^.]+)\.([^.]+)$/;

function formatPosition({ requests, events, deliveries }: Position, { journal }: ControlDeps): string {
  return [journal.run, requests, events, deliveries].join('.');
}

function parsePosition(id: string, { journal }: ControlDeps): Position | GateFailure {
  const [, run = '', number = '', events = '', deliveries = ''] = POSITION_PATTERN.exec(id) ?? [];
  if (![run, events, deliveries].every(isUuid))
    return refuseRequest(
      'invalid',
      'The header Last-Event-ID is not the id of a message of this stream. Omit the header to receive only new messages.',
    );
  // Entry numbers of another process mean nothing here, because each process numbers its journal from 1. Start at the first entry.
  return { requests: run === journal.run ? Number(number) : 0, events, deliveries };
}
