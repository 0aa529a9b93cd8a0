import type { KitProcess } from './kits.ts';
import type { WatchingReceiver } from './watching-receiver.ts';

export type Kind = 'users' | 'assignments';
export type Presence = 'present' | 'absent' | 'unknown';

const DOMAIN: Record<Kind, string> = { users: 'provisioning.user', assignments: 'experience.assignment' };

function eventType(kind: Kind, change: 'created' | 'deleted'): string {
  return `${DOMAIN[kind]}.${change}`;
}

/** Records acknowledged writes: the entities that must exist, and the events that must be delivered. */
export interface Ledger {
  readonly counts: { acknowledged: number; unacknowledged: number };
  /** Unexpected answers: neither an acknowledgement nor a cut connection. */
  readonly refusals: string[];
  readonly entities: ReadonlyMap<string, { readonly kind: Kind; readonly presence: Presence }>;
  /** Events of acknowledged writes. */
  readonly events: readonly { readonly type: string; readonly id: string }[];
  created(kind: Kind, id: string): void;
  /** Deleted with an acknowledgement, by itself or together with another entity. */
  deleted(kind: Kind, id: string): void;
  /** A write was not answered, so the entity may exist or not. */
  unknown(kind: Kind, id: string): void;
}

export function createLedger(): Ledger {
  const entities = new Map<string, { kind: Kind; presence: Presence }>();
  const events: { type: string; id: string }[] = [];
  return {
    counts: { acknowledged: 0, unacknowledged: 0 },
    refusals: [],
    entities,
    events,
    created(kind, id) {
      entities.set(id, { kind, presence: 'present' });
      events.push({ type: eventType(kind, 'created'), id });
    },
    deleted(kind, id) {
      entities.set(id, { kind, presence: 'absent' });
      events.push({ type: eventType(kind, 'deleted'), id });
    },
    unknown: (kind, id) => void entities.set(id, { kind, presence: 'unknown' }),
  };
}

export interface Verdict {
  readonly events: number;
  /** Entities that are missing although their creation was acknowledged, or exist although their deletion was. */
  readonly lost: string[];
  /** Events of acknowledged writes that a subscription has not acknowledged. */
  readonly undelivered: string[];
  /** Entities without an event, and events without an entity. One transaction writes both, so even unacknowledged writes must not leave any. */
  readonly unmatched: string[];
}

interface Finished {
  /** The kind of each entity that exists at the end, by id. */
  readonly existing: ReadonlyMap<string, Kind>;
  readonly ledger: Ledger;
  readonly receiver: Pick<WatchingReceiver, 'acknowledgedBy' | 'events'>;
  readonly subscriptions: number;
}

/** The kind of each entity in a kit, by id, without the entities of the initial world. */
export async function entitiesOf({ url }: KitProcess): Promise<Map<string, Kind>> {
  const existing = new Map<string, Kind>();
  for (const kind of ['users', 'assignments'] as const) {
    const response = await fetch(`${url}/_control/state/${kind}`);
    const { whole: _, ...entities } = (await response.json()) as Record<string, { id: string }>;
    for (const { id } of Object.values(entities)) existing.set(id, kind);
  }
  return existing;
}

/** Compares the entities and the deliveries with the acknowledged writes. */
export function verdictOf({ existing, ledger, receiver, subscriptions }: Finished): Verdict {
  const delivered = (type: string, id: string) => receiver.acknowledgedBy(type, id).size === subscriptions;
  const lost = [...ledger.entities]
    .filter(([id, { presence }]) => presence !== 'unknown' && existing.has(id) !== (presence === 'present'))
    .map(([id, { kind, presence }]) => `${kind} ${id} should be ${presence}`);
  const undelivered = ledger.events.filter(({ type, id }) => !delivered(type, id)).map(({ type, id }) => `${type} of ${id}`);
  const silent = [...existing]
    .filter(([id, kind]) => !delivered(eventType(kind, 'created'), id))
    .map(([id, kind]) => `${kind} ${id}: no event`);
  const phantoms = [...receiver.events()].filter((event) => {
    const [type = '', id = ''] = event.split(' ');
    if (type.endsWith('.deleted')) return existing.has(id);
    return !existing.has(id) && !delivered(type.replace('.created', '.deleted'), id);
  });
  return {
    events: ledger.events.length,
    lost,
    undelivered,
    unmatched: [...silent, ...phantoms.map((event) => `${event}: not in the state`)],
  };
}
