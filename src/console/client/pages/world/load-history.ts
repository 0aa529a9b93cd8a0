import { control, dataOf, type JournalEntry, type Schemas } from '../../kit/control.ts';
import type { Collection, Entity } from './model.ts';

export interface Happened {
  readonly at: number;
  readonly event?: Schemas['ExplainedEvent'];
  /** The request about the entity, or the one that caused the event. Undefined for an event that no request in the journal caused. */
  readonly request?: JournalEntry;
}

const LIMIT = 200;

/** Loads the events about an entity and the requests of the journal that name it, newest first. An event has the request that caused it. */
export async function loadHistory(collection: Collection, { id }: Entity): Promise<readonly Happened[]> {
  if (id === undefined) return [];
  const requests = (query: { path?: string; credential?: string; method?: string; status?: string }) =>
    dataOf(control.GET('/_control/requests', { params: { query: { ...query, limit: LIMIT } } }));
  const isCredential = collection === 'clients' || collection === 'principals';
  const [explained, named, created] = await Promise.all([
    dataOf(control.GET('/_control/explain', { params: { query: { entity: id } } })),
    requests(isCredential ? { credential: id } : { path: `*${id}*` }),
    requests({ method: 'POST', status: '2xx' }),
  ]);
  const bodies = created.filter(({ request, response }) => JSON.stringify([request?.body, response?.body]).includes(id));
  const found = [...new Map([...named, ...bodies].map((entry) => [entry.number, entry])).values()];
  const events = explained.events.map((event): Happened => {
    const at = Date.parse(event.timestamp);
    const request = found.find((entry) => isCause(entry, at));
    return { at, event, ...(request && { request }) };
  });
  const causes = new Set(events.map(({ request }) => request));
  const others = found.filter((entry) => !causes.has(entry)).map((request) => ({ at: Date.parse(request.at), request }));
  return [...events, ...others].sort((one, other) => other.at - one.at);
}

/** A request that changed something causes the events of the time in which it was answered. */
function isCause({ method, status = 0, at, durationMs }: JournalEntry, event: number): boolean {
  const start = Date.parse(at);
  return method !== 'GET' && status < 300 && event >= start && event <= start + Math.ceil(durationMs) + 1;
}
