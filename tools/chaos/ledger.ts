import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './kits.ts';

export type EntityKind = 'users' | 'assignments';
type Presence = 'present' | 'absent' | 'unknown';

const EVENT_DOMAINS: Record<EntityKind, string> = { users: 'provisioning.user', assignments: 'experience.assignment' };

/** Matches the error that a kit returns during a stop or an outage. After this error, the write may or may not be stored. */
const UNAVAILABLE_PATTERN = /"\/problems\/http\.(?:unavailable|shutting-down)"|\btemporarily_unavailable\b/;

/** Records writes. Acknowledged writes determine the entities that must exist and the events that must be delivered. */
export class Ledger {
  acknowledged = 0;
  /** The number of requests for which no complete response was received. */
  cutOff = 0;
  unavailable = 0;
  /** The longest response time, in milliseconds of wall time. */
  slowestMs = 0;
  /** Descriptions of unexpected responses, except the 503 responses counted in `unavailable`. */
  readonly refusals: string[] = [];
  /** The trace ids of acknowledged requests that the journal must contain. */
  readonly requests: string[] = [];
  readonly entities = new Map<string, { readonly kind: EntityKind; readonly presence: Presence }>();
  /** The events that must be delivered, as `type entityId`. */
  readonly events: string[] = [];

  /** @returns the response; undefined if unexpected or incomplete */
  async receive(request: string, sending: Promise<Answer>, isExpected = ({ ok }: Answer) => ok): Promise<Answer | undefined> {
    const answer = await sending.catch(() => undefined);
    if (answer === undefined) {
      this.cutOff += 1;
      return undefined;
    }
    this.slowestMs = Math.max(this.slowestMs, answer.answeredAt - answer.sentAt);
    if (isExpected(answer)) return answer;
    if (answer.status === 503 && UNAVAILABLE_PATTERN.test(answer.text)) this.unavailable += 1;
    else this.refusals.push(`${request}: ${answer.status} ${answer.text}`);
    return undefined;
  }

  /** Waits until `count` more writes are acknowledged, or until a request fails. */
  async waitForWrites(count: number): Promise<void> {
    const enough = this.acknowledged + count;
    while (this.acknowledged < enough && this.cutOff + this.refusals.length === 0) await pause(1);
  }

  /** @param presence whether the entity exists afterwards; `unknown` without a response or after a 503 */
  record(kind: EntityKind, id: string, presence: Presence): void {
    this.entities.set(id, { kind, presence });
    if (presence !== 'unknown') this.events.push(`${EVENT_DOMAINS[kind]}.${presence === 'present' ? 'created' : 'deleted'} ${id}`);
  }
}

interface RunResult {
  /** The kinds of the entities that exist at the end of the run, by entity id. */
  readonly existing: ReadonlyMap<string, EntityKind>;
  readonly ledger: Pick<Ledger, 'entities' | 'events'>;
  /** Maps an event, as `type entityId`, to the subscriptions whose receivers acknowledged the event. */
  readonly delivered: ReadonlyMap<string, ReadonlySet<string>>;
  readonly subscriptions: number;
}

export function findProblems({ existing, ledger, delivered, subscriptions }: RunResult) {
  const isDelivered = (event: string) => delivered.get(event)?.size === subscriptions;
  const lost = [...ledger.entities]
    .filter(([id, { presence }]) => presence !== 'unknown' && existing.has(id) !== (presence === 'present'))
    .map(([id, { kind, presence }]) => `${kind} ${id} should be ${presence}`);
  const silent = [...existing]
    .filter(([id, kind]) => !isDelivered(`${EVENT_DOMAINS[kind]}.created ${id}`))
    .map(([id, kind]) => `${kind} ${id}: no event`);
  const phantoms = [...delivered.keys()].filter((event) => {
    const [type = '', id = ''] = event.split(' ');
    if (type.endsWith('.deleted')) return existing.has(id);
    return !existing.has(id) && !isDelivered(event.replace('.created', '.deleted'));
  });
  return {
    lost,
    undelivered: ledger.events.filter((event) => !isDelivered(event)),
    /** A kit writes an entity and its event in one transaction, so even unanswered writes store both or neither. */
    'entity without an event, or event without an entity': [...silent, ...phantoms.map((event) => `${event}: no entity`)],
  };
}
