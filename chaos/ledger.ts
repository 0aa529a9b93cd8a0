export type Kind = 'users' | 'assignments';
export type Presence = 'present' | 'absent' | 'unknown';

const DOMAIN: Record<Kind, string> = { users: 'provisioning.user', assignments: 'experience.assignment' };

export function eventType(kind: Kind, done: 'created' | 'deleted'): string {
  return `${DOMAIN[kind]}.${done}`;
}

/** What the writers know: which writes were acknowledged, so what has to be there, and what has to have been delivered. */
export interface Ledger {
  readonly counts: { acknowledged: number; unacknowledged: number };
  /** Answers that are neither an acknowledgement nor a cut connection: there should be none. */
  readonly refusals: string[];
  readonly entities: ReadonlyMap<string, { readonly kind: Kind; readonly presence: Presence }>;
  /** Events of acknowledged writes. */
  readonly events: readonly { readonly type: string; readonly id: string }[];
  created(kind: Kind, id: string): void;
  /** Deleted with an acknowledgement. Nothing is added to the count: what goes with an entity was no write of its own. */
  deleted(kind: Kind, id: string): void;
  /** There was no answer: it may be there or not. */
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
