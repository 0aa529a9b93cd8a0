import { control, dataOf, type JournalEntry, type Schemas } from '../../kit/control.ts';
import type { Collection } from './model.ts';

export interface Happened {
  readonly id: string | number;
  readonly at: number;
  /** The type of the event, or what was done to the entity. Undefined for a request that changed nothing. */
  readonly what?: string;
  readonly actor?: Schemas['PublishedEvent']['actor'];
  /** The request about the entity, or the one that caused the event. Undefined for an event that no request in the journal caused. */
  readonly request?: JournalEntry;
}

const LIMIT = 200;

/**
 * Loads the changes of an entity, the events about it, and the requests of the journal that name it, newest first. An event of the provider
 * has the request that caused it.
 * @param name the id of the entity, also of a deleted one; for an entity without an id, its alias
 */
export async function loadHistory(collection: Collection, name: string): Promise<readonly Happened[]> {
  const requests = (query: { path?: string; credential?: string; method?: string; status?: string }) =>
    dataOf(control.GET('/_control/requests', { params: { query: { ...query, limit: LIMIT } } }));
  const isCredential = collection === 'clients' || collection === 'principals';
  const query = { entity: name, limit: LIMIT };
  const [published, changed, named, created] = await Promise.all([
    dataOf(control.GET('/_control/events', { params: { query } })),
    dataOf(control.GET('/_control/changes', { params: { query } })),
    requests(isCredential ? { credential: name } : { path: `*${name}*` }),
    requests({ method: 'POST', status: '2xx' }),
  ]);
  const bodies = created.filter(({ request, response }) => JSON.stringify([request?.body, response?.body]).includes(name));
  const found = [...new Map([...named, ...bodies].map((entry) => [entry.number, entry])).values()];
  const events = published.map(({ id, type, timestamp, actor }): Happened => {
    const at = Date.parse(timestamp);
    const request = actor === 'provider' ? found.find((entry) => isCause(entry, at)) : undefined;
    return { id, at, what: type, actor, ...(request && { request }) };
  });
  const changes = changed
    .filter((change) => change.collection === collection)
    .map(({ id, at, action, actor }): Happened => ({ id, at: Date.parse(at), what: action, actor }));
  const causes = new Set(events.map(({ request }) => request));
  const others = found
    .filter((entry) => !causes.has(entry))
    .map((request) => ({ id: request.number, at: Date.parse(request.at), request }));
  return [...events, ...changes, ...others].sort((one, other) => other.at - one.at);
}

/** A request that changed something causes the events of the time in which it was answered. */
function isCause({ method, status = 0, at, durationMs }: JournalEntry, event: number): boolean {
  const start = Date.parse(at);
  return method !== 'GET' && status < 300 && event >= start && event <= start + Math.ceil(durationMs) + 1;
}
