import { setTimeout as pause } from 'node:timers/promises';
import { didYouMean } from '../contract/did-you-mean.ts';
import type { components } from '../contract/generated/control.ts';
import { isUuid } from '../contract/uuid.ts';
import type { GateRefusal } from '../http/answer.ts';
import type { EventStream, Message } from '../http/event-stream.ts';
import { attemptsAfter, eventsAfter, type Part } from '../store/delivery-list.ts';
import { isUnavailable } from '../store/errors.ts';
import { type ControlDeps, type ControlHandlers, type ControlRequest, cannot } from './handler.ts';
import { shownAttempt } from './shown-delivery.ts';

type Schemas = components['schemas'];

const KINDS = ['requests', 'events', 'deliveries'] as const;
type Kind = (typeof KINDS)[number];

/** How far a stream has come. It is the id of each message, so that any of them says where to go on. */
interface Position {
  /** Of the newest entry of the journal that was sent. */
  readonly requests: number;
  /** Ids of the newest of their kind that were sent. */
  readonly events: string;
  readonly deliveries: string;
}

type Next = Omit<Message, 'id'> & { readonly position: Partial<Position> };

/** How many messages of a kind are read at a time: all that a slow reader makes the kit keep. */
const LOT = 50;
/** Wall milliseconds between two looks at the database, which other replicas write, too. */
const EVERY_MS = 50;

/**
 * GET /_control/stream. Nothing is kept for a reader but its position: the journal and the tables are what it is read from, as fast as the reader
 * takes it. What the journal has forgotten by then is told of as dropped.
 */
export const stream: Pick<ControlHandlers, 'streamEverything'> = {
  streamEverything({ query, lastEventId }, deps) {
    const kinds = kindsIn(query);
    if ('gate' in kinds) return kinds;
    const start = lastEventId ? positionOf(lastEventId, deps) : presentPosition(deps);
    if ('gate' in start) return start;
    return { stream: (to) => follow(to, new Set(kinds), start, deps) };
  },
};

async function follow(to: EventStream, kinds: ReadonlySet<Kind>, start: Position, deps: ControlDeps): Promise<void> {
  let position = start;
  let wake = () => {};
  const unsubscribe = kinds.has('requests') ? deps.journal.subscribe(() => wake()) : () => {};
  try {
    while (!to.ended.aborted) {
      // Made before the look: what comes while that is under way wakes, too.
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
        await to.send({ id: idOf(position, deps), event, data });
      }
      if (next.length === 0) await Promise.race([woken, pause(EVERY_MS, undefined, { signal: to.ended })]);
    }
  } finally {
    unsubscribe();
  }
}

async function nextAfter(position: Position, kinds: ReadonlySet<Kind>, { journal, store }: ControlDeps): Promise<Next[]> {
  const before = await store.settledBefore(Date.now());
  const part = (after: string): Part => ({ after, before, limit: LOT });
  const next: Next[] = [];
  if (kinds.has('requests')) {
    const { entries, missed } = journal.following(position.requests, LOT);
    const dropped: Schemas['Dropped'] = { requests: missed };
    if (missed > 0) next.push({ event: 'dropped', data: dropped, position: { requests: position.requests + missed } });
    for (const entry of entries) next.push({ event: 'request', data: entry, position: { requests: entry.number } });
  }
  if (kinds.has('events'))
    for (const row of await eventsAfter(store.db, part(position.events)))
      next.push({ event: 'event', data: published(row), position: { events: row.id } });
  if (kinds.has('deliveries'))
    for (const row of await attemptsAfter(store.db, part(position.deliveries)))
      next.push({ event: 'delivery', data: ended(row), position: { deliveries: row.id } });
  return next;
}

function published(row: Awaited<ReturnType<typeof eventsAfter>>[number]): Schemas['PublishedEvent'] {
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

function ended(row: Awaited<ReturnType<typeof attemptsAfter>>[number]): Schemas['EndedAttempt'] {
  return {
    ...shownAttempt(row),
    deliveryId: row.delivery_id,
    subscriptionId: row.subscription_id,
    type: row.type,
    entityId: row.entity_id,
    state: row.state,
  };
}

const NAMES: readonly string[] = [...KINDS];

function kindsIn(query: ControlRequest['query']): readonly Kind[] | GateRefusal {
  if (query.only === undefined) return KINDS;
  const asked = query.only.split(',').map((name) => name.trim());
  const unknown = asked.find((name) => !NAMES.includes(name));
  if (unknown === undefined) return asked as Kind[];
  const right = didYouMean(unknown, NAMES) || ` It is one of ${NAMES.join(', ')}, or several of them with commas between them.`;
  return cannot('invalid', `The parameter only cannot be "${unknown}".${right}`);
}

/** From now on. */
function presentPosition({ journal, ids }: ControlDeps): Position {
  const now = ids.uuid();
  return { requests: journal.newest, events: now, deliveries: now };
}

const ID = /^([^.]+)\.(\d{1,15})\.([^.]+)\.([^.]+)$/;

function idOf({ requests, events, deliveries }: Position, { journal }: ControlDeps): string {
  return [journal.run, requests, events, deliveries].join('.');
}

function positionOf(id: string, { journal }: ControlDeps): Position | GateRefusal {
  const [, run = '', number = '', events = '', deliveries = ''] = ID.exec(id) ?? [];
  if (![run, events, deliveries].every(isUuid))
    return cannot(
      'invalid',
      'The header Last-Event-ID is not the id of a message of this stream. Leave it out to begin with what happens from now on.',
    );
  // Numbers of another journal say nothing of this one, and whoever saw that has seen none of this.
  return { requests: run === journal.run ? Number(number) : 0, events, deliveries };
}
