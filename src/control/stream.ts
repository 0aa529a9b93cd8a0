import { setTimeout as delay } from 'node:timers/promises';
import { didYouMean } from '../contract/did-you-mean.ts';
import { type GateFailure, isFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import { isUuid } from '../contract/uuid.ts';
import type { EventStream, Message } from '../http/event-stream.ts';
import { attemptsAfter, eventsAfter, type Part } from '../store/delivery-list.ts';
import { isUnavailable } from '../store/errors.ts';
import { toAttempt } from './delivery-views.ts';
import { type ControlDeps, type ControlHandlers, cannot } from './handler.ts';

type Schemas = components['schemas'];

const KINDS = ['requests', 'events', 'deliveries'] as const;
type Kind = (typeof KINDS)[number];

/**
 * The last request, event and delivery attempt that a stream has sent. The id of every message is a position, so that a new stream can
 * continue after any message.
 */
interface Position {
  /** The number of a request in the journal. */
  readonly requests: number;
  /** The id of an event. Ids are in chronological order. */
  readonly events: string;
  /** The id of a delivery attempt. */
  readonly deliveries: string;
}

type Next = Omit<Message, 'id'> & { readonly position: Partial<Position> };

/** The maximum number of messages of each kind in one read. */
const BATCH = 50;
/** Milliseconds of wall time between two database queries. The queries also find events and attempts that other replicas have stored. */
const POLL_MS = 50;

/**
 * GET /_control/stream. The kit keeps only the position of each reader in memory. Messages are read from the journal and the database when
 * the reader can receive more. If the journal deletes entries before they are sent, the stream sends the number of deleted entries.
 */
export const stream: Pick<ControlHandlers, 'streamEverything'> = {
  streamEverything({ query, lastEventId }, deps) {
    const kinds = parseKinds(query.only);
    if (isFailure(kinds)) return kinds;
    const start = lastEventId ? parsePosition(lastEventId, deps) : presentPosition(deps);
    if (isFailure(start)) return start;
    return { stream: (to) => follow(to, new Set(kinds), start, deps) };
  },
};

async function follow(to: EventStream, kinds: ReadonlySet<Kind>, start: Position, deps: ControlDeps): Promise<void> {
  let position = start;
  let wake = () => {};
  const unsubscribe = kinds.has('requests') ? deps.journal.subscribe(() => wake()) : () => {};
  try {
    while (!to.ended.aborted) {
      // The promise is created before the queries, so that an entry that arrives during the queries wakes the loop.
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      // An EventSource does not reconnect after a 503, so the stream stays open during an outage of the database.
      const next = await nextAfter(position, kinds, deps).catch((error: unknown) => {
        if (isUnavailable(error)) return [];
        throw error;
      });
      for (const { position: moved, event, data } of next) {
        position = { ...position, ...moved };
        await to.send({ id: formatPosition(position, deps), event, data });
      }
      if (next.length === 0) await Promise.race([woken, delay(POLL_MS, undefined, { signal: to.ended })]);
    }
  } finally {
    unsubscribe();
  }
}

async function nextAfter(position: Position, kinds: ReadonlySet<Kind>, { journal, store }: ControlDeps): Promise<Next[]> {
  const before = await store.settledBefore(Date.now());
  const part = (after: string): Part => ({ after, before, limit: BATCH });
  const next: Next[] = [];
  if (kinds.has('requests')) {
    const { entries, missed } = journal.following(position.requests, BATCH);
    const dropped: Schemas['Dropped'] = { requests: missed };
    if (missed > 0) next.push({ event: 'dropped', data: dropped, position: { requests: position.requests + missed } });
    for (const entry of entries) next.push({ event: 'request', data: entry, position: { requests: entry.number } });
  }
  if (kinds.has('events'))
    for (const row of await eventsAfter(store.db, part(position.events)))
      next.push({ event: 'event', data: toEvent(row), position: { events: row.id } });
  if (kinds.has('deliveries'))
    for (const row of await attemptsAfter(store.db, part(position.deliveries)))
      next.push({ event: 'delivery', data: toEndedAttempt(row), position: { deliveries: row.id } });
  return next;
}

function toEvent(row: Awaited<ReturnType<typeof eventsAfter>>[number]): Schemas['PublishedEvent'] {
  return {
    id: row.id,
    type: row.type,
    timestamp: row.timestamp,
    providerId: row.provider_id,
    experienceId: row.experience_id,
    entityId: row.entity_id,
    data: JSON.parse(row.data) as unknown,
  };
}

function toEndedAttempt(row: Awaited<ReturnType<typeof attemptsAfter>>[number]): Schemas['EndedAttempt'] {
  return {
    ...toAttempt(row),
    deliveryId: row.deliveryId,
    subscriptionId: row.subscription_id,
    type: row.type,
    entityId: row.entity_id,
    state: row.state,
  };
}

function parseKinds(only: string | undefined): readonly Kind[] | GateFailure {
  if (only === undefined) return KINDS;
  const kinds = only.split(',').map((name) => name.trim());
  const unknown = kinds.find((name) => !KINDS.includes(name as Kind));
  if (unknown === undefined) return kinds as Kind[];
  const hint = didYouMean(unknown, KINDS) || ` It must be one or more of ${KINDS.join(', ')}, separated by commas.`;
  return cannot('invalid', `The parameter only cannot be "${unknown}".${hint}`);
}

function presentPosition({ journal, ids }: ControlDeps): Position {
  const now = ids.uuid();
  return { requests: journal.newest, events: now, deliveries: now };
}

const POSITION = /^([^.]+)\.(\d{1,15})\.([^.]+)\.([^.]+)$/;

function formatPosition({ requests, events, deliveries }: Position, { journal }: ControlDeps): string {
  return [journal.run, requests, events, deliveries].join('.');
}

function parsePosition(id: string, { journal }: ControlDeps): Position | GateFailure {
  const [, run = '', number = '', events = '', deliveries = ''] = POSITION.exec(id) ?? [];
  if (![run, events, deliveries].every(isUuid))
    return cannot(
      'invalid',
      'The header Last-Event-ID is not the id of a message of this stream. Leave the header out to receive only new messages.',
    );
  // Each process numbers its journal entries from the start. If the position is from another process, the reader gets all entries of this
  // journal.
  return { requests: run === journal.run ? Number(number) : 0, events, deliveries };
}
