import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call, type JournalEntry, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge, Method, Status } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { buildEntityHref, type Collection, changeCount } from './model.ts';

interface HistoryItem {
  readonly id: string | number;
  readonly at: number;
  /** The event type, or the kind of change. Undefined for a request that changed nothing. */
  readonly what?: string;
  readonly actor?: Schemas['PublishedEvent']['actor'];
  /** Undefined if the journal lacks the request. */
  readonly request?: JournalEntry;
}

const MAX_ITEMS = 200;

/** @param name the entity's id or alias */
export function EntityHistory({ collection, name }: { collection: Collection; name: string }) {
  const history = useResource(() => loadHistory(collection, name), [name, changeCount.value]);
  return (
    <Section title="History" lead="Changes to this entity, events about it, and requests in the journal that mention it, newest first.">
      <Loaded
        from={history}
        empty={
          <EmptyNote icon="clock" title="Nothing has happened yet">
            Changes to this {entityForms[collection].singular} and requests about it appear here.
          </EmptyNote>
        }
      >
        {(happened) => (
          <ol class="timeline">
            {happened.map(({ id, at, what, actor, request }) => (
              <li key={id} data-tone={what ? 'info' : 'plain'}>
                <TimeText ms={at} />
                {what && <Badge tone="info">{what}</Badge>} {what && `by the ${actor} `}
                {request && <HistoryRequest {...request} />}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

const HistoryRequest = ({ traceId, method, path, status, credential }: JournalEntry) => (
  <>
    <a href={buildHref(`/requests/${traceId}`)}>
      <Method method={method} /> {path.split('?', 1)[0]}
    </a>{' '}
    <Status status={status} />
    {credential?.clientId && (
      <>
        {' '}
        by the <a href={buildEntityHref('clients', credential.clientId)}>client</a>
      </>
    )}
    {credential?.principalId && (
      <>
        {' '}
        for the <a href={buildEntityHref('principals', credential.principalId)}>principal</a>
      </>
    )}
  </>
);

/** Loads an entity's changes, events and requests, newest first, even if the entity was deleted. */
async function loadHistory(collection: Collection, name: string): Promise<readonly HistoryItem[]> {
  const isCredential = collection === 'clients' || collection === 'principals';
  const [published, changed, named, created] = await Promise.all([
    call('listEvents', { entity: name, limit: MAX_ITEMS }),
    call('listChanges', { entity: name, limit: MAX_ITEMS }),
    call('listRequests', { ...(isCredential ? { credential: name } : { path: `*${name}*` }), limit: MAX_ITEMS }),
    call('listRequests', { method: 'POST', status: '2xx', limit: MAX_ITEMS }),
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
