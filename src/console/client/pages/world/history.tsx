import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call, type JournalEntry, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { formatLabel } from '../../ui/form.tsx';
import { buildHref, EmptyNote, LoadedSection, Part } from '../../ui/page.tsx';
import { undo } from '../../ui/toast.ts';
import { Badge, Method, Named, Status } from '../../ui/values.tsx';
import { buildEntityHref, type Collection } from './model.ts';
import { MemberValue } from './value.tsx';

interface HistoryItem {
  readonly id: string | number;
  readonly at: number;
  /** The event type, or the kind of change. Undefined for a request that changed nothing. */
  readonly what?: string;
  readonly actor?: Schemas['PublishedEvent']['actor'];
  readonly difference?: Schemas['Difference'];
  /** Undefined if the journal lacks the request. */
  readonly request?: JournalEntry;
  /** The number of equal requests in a row. Only the newest is in `request`. */
  readonly count?: number;
}

const MAX_ITEMS = 200;

/** @param name the entity's id or alias */
export function EntityHistory({ collection, name }: { collection: Collection; name: string }) {
  const history = useResource(() => loadHistory(collection, name), [name], { on: ['event'] });
  const undoable = useResource(() => call('listUndoable'), [name], { on: ['event'] });
  const [newest] = undoable.data ?? [];
  const isLast = newest?.changes.some(({ entityId }) => entityId === name);
  return (
    <LoadedSection
      title="History"
      lead="Changes to this entity, events about it, and requests in the journal that mention it, newest first."
      actions={isLast && <Action icon="repeat" run={() => undo(newest?.id)} text="Undo the last change" />}
      from={history}
      empty={
        <EmptyNote title="Nothing has happened yet">
          Changes to this {entityForms[collection].singular} and requests about it appear here.
        </EmptyNote>
      }
    >
      {(happened) =>
        [...Map.groupBy(happened, getDay)].map(([day, items]) => <HistoryDay key={day} day={day} items={items} collection={collection} />)
      }
    </LoadedSection>
  );
}

const getDay = ({ at }: HistoryItem) => new Date(at).toISOString().slice(0, 10);

const HistoryDay = ({ day, items, collection }: { day: string; items: readonly HistoryItem[]; collection: Collection }) => (
  <Part title={day} label={day}>
    <ol class="timeline text-2">
      {items.map(({ id, at, what, actor, difference, request, count = 1 }) => (
        <li key={id} data-tone={what ? 'info' : 'plain'}>
          <time class="num" dateTime={new Date(at).toISOString()}>
            {new Date(at).toISOString().slice(11, 19)}
          </time>
          {what && <Badge tone="info">{what}</Badge>} {what && `by the ${actor} `}
          {request && <HistoryRequest {...request} />} {count > 1 && `${count} times`}
          <Differences collection={collection} of={difference} />
        </li>
      ))}
    </ol>
  </Part>
);

/** What the client changed in an entity, without what the service sets itself. */
export const Differences = ({ collection, of = {} }: { collection: Collection; of: Schemas['Difference'] | undefined }) =>
  Object.entries(of)
    .filter(([member]) => !entityForms[collection].generated.includes(member))
    .map(([member, values]) => {
      const [before, after] = [values.before, values.after].map((value) => (
        <MemberValue collection={collection} member={member} entity={{ alias: '', [member]: value ?? undefined }} />
      ));
      return (
        <p key={member} class="row">
          {formatLabel(member)}: {before} → {after}
        </p>
      );
    });

const HistoryRequest = ({ traceId, method, path, status, credential }: JournalEntry) => (
  <>
    <a href={buildHref(`/requests/${traceId}`)}>
      <Method method={method} /> <Named text={path.split('?', 1)[0] ?? ''} />
    </a>{' '}
    <Status status={status} />
    <NamedLink word="by" collection="clients" id={credential?.clientId} />
    <NamedLink word="for" collection="principals" id={credential?.principalId} />
  </>
);

const NamedLink = ({ word, collection, id }: { word: string; collection: Collection; id: string | undefined }) =>
  id !== undefined && (
    <>
      {` ${word} `}
      <a href={buildEntityHref(collection, id)}>
        <Named text={id} />
      </a>
    </>
  );

const isSameRequest = ({ what, request }: HistoryItem, { what: otherWhat, request: other }: HistoryItem) =>
  what === undefined &&
  otherWhat === undefined &&
  ['method', 'path', 'status'].every((member) => request?.[member as 'path'] === other?.[member as 'path']) &&
  request?.credential?.fingerprint === other?.credential?.fingerprint;

function countRepeated(items: readonly HistoryItem[]): readonly HistoryItem[] {
  const counted: HistoryItem[] = [];
  for (const item of items) {
    const last = counted.at(-1);
    if (last && isSameRequest(last, item)) counted[counted.length - 1] = { ...last, count: (last.count ?? 1) + 1 };
    else counted.push(item);
  }
  return counted;
}

/** Loads an entity's changes, events and requests, newest first, even if the entity was deleted. */
async function loadHistory(collection: Collection, name: string): Promise<readonly HistoryItem[]> {
  const isCredential = collection === 'clients' || collection === 'principals';
  const [published, changed, found] = await Promise.all([
    call('listEvents', { entity: name, limit: MAX_ITEMS }),
    call('listChanges', { entity: name, limit: MAX_ITEMS }),
    call('listRequests', { ...(isCredential ? { credential: name } : { text: name }), limit: MAX_ITEMS }),
  ]);
  const events = published.map(({ id, type, timestamp, actor }): HistoryItem => {
    const at = Date.parse(timestamp);
    const request = actor === 'provider' ? found.find((entry) => isCause(entry, at)) : undefined;
    const [before, after] = type.endsWith('.activated') ? ['INACTIVE', 'ACTIVE'] : ['ACTIVE', 'INACTIVE'];
    const difference = /activated$/.test(type) && { state: { before, after } };
    return { id, at, what: type, actor, ...(request && { request }), ...(difference && { difference }) };
  });
  const changes = changed
    .filter((change) => change.collection === collection)
    .map(({ at, action, ...change }): HistoryItem => ({ ...change, at: Date.parse(at), what: action }));
  const causes = new Set(events.map(({ request }) => request));
  const others = found
    .filter((entry) => !causes.has(entry))
    .map((request) => ({ id: request.number, at: Date.parse(request.at), request }));
  return countRepeated([...events, ...changes, ...others].sort((first, second) => second.at - first.at));
}

function isCause({ method, status = 0, at, durationMs }: JournalEntry, publishedAt: number): boolean {
  const start = Date.parse(at);
  return method !== 'GET' && status < 300 && publishedAt >= start && publishedAt <= start + Math.ceil(durationMs) + 1;
}
