export type Kind = 'users' | 'assignments';
export type Presence = 'present' | 'absent' | 'unknown';

const DOMAIN: Record<Kind, string> = { users: 'provisioning.user', assignments: 'experience.assignment' };

/** Acknowledged writes: the entities that must exist, and the events that must be delivered. */
export class Ledger {
  acknowledged = 0;
  /** Writes without a complete answer. */
  cutOff = 0;
  /** Unexpected answers: neither an acknowledgement nor a cut connection. */
  readonly refusals: string[] = [];
  readonly entities = new Map<string, { readonly kind: Kind; readonly presence: Presence }>();
  /** Events of acknowledged writes, as `type entityId`. */
  readonly events: string[] = [];

  /** @param presence `unknown` after a write that was not answered */
  record(kind: Kind, id: string, presence: Presence): void {
    this.entities.set(id, { kind, presence });
    if (presence !== 'unknown') this.events.push(`${DOMAIN[kind]}.${presence === 'present' ? 'created' : 'deleted'} ${id}`);
  }
}

interface Finished {
  /** The kind of each entity that exists at the end, by id. */
  readonly existing: ReadonlyMap<string, Kind>;
  readonly ledger: Pick<Ledger, 'entities' | 'events'>;
  /** By event, as `type entityId`: the subscriptions whose delivery of it was acknowledged. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>;
  readonly subscriptions: number;
}

/** Compares the entities and the deliveries with the acknowledged writes. */
export function verdictOf({ existing, ledger, delivered, subscriptions }: Finished) {
  const isDelivered = (event: string) => delivered.get(event)?.size === subscriptions;
  const lost = [...ledger.entities]
    .filter(([id, { presence }]) => presence !== 'unknown' && existing.has(id) !== (presence === 'present'))
    .map(([id, { kind, presence }]) => `${kind} ${id} should be ${presence}`);
  const silent = [...existing]
    .filter(([id, kind]) => !isDelivered(`${DOMAIN[kind]}.created ${id}`))
    .map(([id, kind]) => `${kind} ${id}: no event`);
  const phantoms = [...delivered.keys()].filter((event) => {
    const [type = '', id = ''] = event.split(' ');
    if (type.endsWith('.deleted')) return existing.has(id);
    return !existing.has(id) && !isDelivered(event.replace('.created', '.deleted'));
  });
  return {
    /** Entities that are missing although their creation was acknowledged, or exist although their deletion was. */
    lost,
    /** Events of acknowledged writes that a subscription has not acknowledged. */
    undelivered: ledger.events.filter((event) => !isDelivered(event)),
    /** One transaction writes an entity and its event, so even unacknowledged writes must not leave any. */
    'entity or event without the other': [...silent, ...phantoms.map((event) => `${event}: not in the state`)],
  };
}
