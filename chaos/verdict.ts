import type { KitProcess } from './kit-process.ts';
import { eventType, type Kind, type Ledger } from './ledger.ts';
import type { WatchingReceiver } from './watching-receiver.ts';

export interface Verdict {
  readonly events: number;
  /** Acknowledged writes that are not there, or deletions whose entity still is. */
  readonly lost: string[];
  /** Events of acknowledged writes that a subscription has not acknowledged. */
  readonly undelivered: string[];
  /** Entities without their event, and events without their entity, whether their write was acknowledged or not: one transaction makes both. */
  readonly apart: string[];
}

interface Finished {
  /** What the kit holds at the end. */
  readonly there: ReadonlyMap<string, Kind>;
  readonly ledger: Ledger;
  readonly receiver: Pick<WatchingReceiver, 'acknowledgedBy' | 'events'>;
  readonly subscriptions: number;
}

/** What the kit holds: ids, and of which kind, but for what the world began with. */
export async function entitiesOf({ url }: KitProcess): Promise<Map<string, Kind>> {
  const there = new Map<string, Kind>();
  for (const kind of ['users', 'assignments'] as const) {
    const response = await fetch(`${url}/_control/state/${kind}`);
    const { whole: _, ...entities } = (await response.json()) as Record<string, { id: string }>;
    for (const { id } of Object.values(entities)) there.set(id, kind);
  }
  return there;
}

/** Judges what is there and what was delivered by what was acknowledged. */
export function verdictOf({ there, ledger, receiver, subscriptions }: Finished): Verdict {
  const delivered = (type: string, id: string) => receiver.acknowledgedBy(type, id).size === subscriptions;
  const lost = [...ledger.entities]
    .filter(([id, { presence }]) => presence !== 'unknown' && there.has(id) !== (presence === 'present'))
    .map(([id, { kind, presence }]) => `${kind} ${id} should be ${presence}`);
  const undelivered = ledger.events.filter(({ type, id }) => !delivered(type, id)).map(({ type, id }) => `${type} of ${id}`);
  const silent = [...there]
    .filter(([id, kind]) => !delivered(eventType(kind, 'created'), id))
    .map(([id, kind]) => `${kind} ${id}: no event`);
  const phantoms = [...receiver.events()].filter((event) => {
    const [type = '', id = ''] = event.split(' ');
    if (type.endsWith('.deleted')) return there.has(id);
    return !there.has(id) && !delivered(type.replace('.created', '.deleted'), id);
  });
  return { events: ledger.events.length, lost, undelivered, apart: [...silent, ...phantoms.map((event) => `${event}: not in the state`)] };
}
