export type Kind = 'users' | 'assignments';
export type Presence = 'present' | 'absent' | 'unknown';

const DOMAIN: Record<Kind, string> = { users: 'provisioning.user', assignments: 'experience.assignment' };

/** Records acknowledged writes: which entities must exist, and which events must be delivered. */
export class Ledger {
  acknowledged = 0;
  /** The number of writes for which no complete response was received. */
  cutOff = 0;
  /** Descriptions of responses that are not a success. */
  readonly refusals: string[] = [];
  readonly entities = new Map<string, { readonly kind: Kind; readonly presence: Presence }>();
  /** The events of acknowledged writes, each in the form `type entityId`. */
  readonly events: string[] = [];

  /** Records a write. @param presence whether the entity exists after the write; `unknown` if the write got no response */
  record(kind: Kind, id: string, presence: Presence): void {
    this.entities.set(id, { kind, presence });
    if (presence !== 'unknown') this.events.push(`${DOMAIN[kind]}.${presence === 'present' ? 'created' : 'deleted'} ${id}`);
  }
}

interface Finished {
  /** The kind of each entity that exists at the end of the run, by id. */
  readonly existing: ReadonlyMap<string, Kind>;
  readonly ledger: Pick<Ledger, 'entities' | 'events'>;
  /** The subscriptions whose receiver has acknowledged an event, by event. An event has the form `type entityId`. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>;
  readonly subscriptions: number;
}

/** Compares the existing entities and the delivered events with the acknowledged writes. */
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
    /** Entities that do not exist although their creation was acknowledged, or that exist although their deletion was acknowledged. */
    lost,
    /** Events of acknowledged writes that are missing at one subscription or more, because the receiver has not acknowledged them. */
    undelivered: ledger.events.filter((event) => !isDelivered(event)),
    /** One transaction writes an entity and its event. Even if a write gets no response, the kit must store both of them or neither. */
    'entity without an event, or event without an entity': [...silent, ...phantoms.map((event) => `${event}: no entity`)],
  };
}
