import { control, getResponseData, type JournalEntry, type Schemas } from '../../kit/control.ts';
import type { Collection } from './model.ts';

export interface HistoryItem {
  readonly id: string | number;
  readonly at: number;
  /** The event type, or the kind of change. Undefined for a request that changed nothing. */
  readonly what?: string;
  readonly actor?: Schemas['PublishedEvent']['actor'];
  /** Undefined if the journal lacks the request. */
  readonly request?: JournalEntry;
}

const MAX_ITEMS = 200;

/**
 * Loads an entity's changes, events and requests, newest first, even if the entity was deleted.
 * @param name the entity's id, or its alias if it has no id
 */
export async function loadHistory(collection: Collection, name: string): Promise<readonly HistoryItem[]> {
  const listRequests = (query: { path?: string; credential?: string; method?: string; status?: string }) =>
    getResponseData(control.GET('/_control/requests', { params: { query: { ...query, limit: MAX_ITEMS } } }));
  const isCredential = collection === 'clients' || collection === 'principals';
  const query = { entity: name, limit: MAX_ITEMS };
  const [published, changed, named, created] = await Promise.all([
    getResponseData(control.GET('/_control/events', { params: { query } })),
    getResponseData(control.GET('/_control/changes', { params: { query } })),
    listRequests(isCredential ? { credential: name } : { path: `*${name}*` }),
    listRequests({ method: 'POST', status: '2xx' }),
  ]);
  const bodies = created.filter(({ request, response }) => JSON.stringify([request?.body, response?.body]).includes(name));
  const found = [...new Map([...named, ...bodies].map((entry) => [entry.number, entry])).values()];
  const events = published.map(({ id, type, timestamp, actor }): HistoryItem => {
    const at = Date.parse(timestamp);
    const request = actor === 'provider' ? found.find((entry) => isCause(entry, at)) : undefined;
    return { id, at, what: type, actor, ...(request && { request }) };
  });
  const changes = changed
    .filter((change) => change.collection === collection)
    .map(({ id, at, action, actor }): HistoryItem => ({ id, at: Date.parse(at), what: action, actor }));
  const causes = new Set(events.map(({ request }) => request));
  const others = found
    .filter((entry) => !causes.has(entry))
    .map((request) => ({ id: request.number, at: Date.parse(request.at), request }));
  return [...events, ...changes, ...others].sort((first, second) => second.at - first.at);
}

function isCause({ method, status = 0, at, durationMs }: JournalEntry, publishedAt: number): boolean {
  const start = Date.parse(at);
  return method !== 'GET' && status < 300 && publishedAt >= start && publishedAt <= start + Math.ceil(durationMs) + 1;
}
