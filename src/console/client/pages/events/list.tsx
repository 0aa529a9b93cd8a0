import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useLive } from '../../kit/live.ts';
import { Badge, DELIVERY_STATES } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { LiveList } from '../../ui/live-list.tsx';
import { EmptyList, Loaded } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { EventDetail } from './detail.tsx';
import { eventTypes } from './event-types.ts';

type ListedEvent = Schemas['EventWithDeliveries'];

const PAGE_SIZE = 50;

export function EventList({ selected }: { selected: string | undefined }) {
  const { query, path, route } = useLocation();
  const { type, entity, before } = query;
  const filter = { type, entity, before };
  const events = useLive(
    () => getResponseData(control.GET('/_control/events', { params: { query: { limit: PAGE_SIZE, ...omitEmptyMembers(filter) } } })),
    [type, entity, before],
    before === undefined ? ['event', 'delivery'] : ['delivery'],
  );
  const scroller = useRef<HTMLElement>(null);
  const { rows, waiting, holdRowsWhileReading } = useHeldEvents(events.data, JSON.stringify(filter));
  const buildListHref = (members: object) => `${path}${buildHref('', { ...filter, ...members }).slice(buildHref('').length)}`;
  const last = rows?.length === PAGE_SIZE ? rows.at(-1)?.id : undefined;
  return (
    <>
      <search class="event-filters" aria-label="Filters">
        <label class="field">
          <span>Type</span>
          <select
            value={type ?? ''}
            onChange={({ currentTarget }) => route(buildListHref({ type: currentTarget.value, before: undefined }), true)}
          >
            <option value="">All types</option>
            {[...eventTypes, 'raw'].map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Entity</span>
          <input
            key={entity}
            value={entity ?? ''}
            placeholder="alias or id of a connection, assignment or user"
            onChange={({ currentTarget }) => route(buildListHref({ entity: currentTarget.value.trim(), before: undefined }), true)}
          />
        </label>
      </search>
      <div class="split" data-open={selected !== undefined}>
        <LiveList label="Events, newest first" scroller={scroller} waiting={waiting} holdRowsWhileReading={holdRowsWhileReading}>
          <Loaded from={{ ...events, data: rows }} lines={14}>
            {(shown) =>
              shown.length === 0 ? (
                <EmptyList
                  kind="event"
                  icon="events"
                  href="/events"
                  isFiltered={type !== undefined || entity !== undefined || before !== undefined}
                >
                  A change publishes an event: create a connection, an assignment or a user in the <a href={buildHref('/world')}>world</a>.
                  Loading or resetting a world publishes none.
                </EmptyList>
              ) : (
                <EventRows rows={shown} selected={selected} hrefFor={(id) => buildHref(`/events/event/${id}`, filter)} />
              )
            }
          </Loaded>
          {(last !== undefined || before !== undefined) && (
            <p class="paging">
              {before !== undefined && <a href={buildListHref({ before: undefined })}>Newest events</a>}
              {last !== undefined && <a href={buildListHref({ before: last })}>Older events</a>}
            </p>
          )}
        </LiveList>
        {selected !== undefined && <EventDetail key={selected} id={selected} back={buildHref('/events', filter)} />}
      </div>
    </>
  );
}

/** Keeps the events in place while the user reads. Counts the newer events that are not shown. */
function useHeldEvents(newest: readonly ListedEvent[] | undefined, filter: string) {
  const [held, setHeld] = useState<readonly ListedEvent[]>();
  useEffect(() => setHeld(undefined), [filter]);
  const holdRowsWhileReading = (isReading: boolean) => setHeld((before) => (isReading ? (before ?? newest) : undefined));
  if (held === undefined || newest === undefined) return { rows: newest, waiting: 0, holdRowsWhileReading };
  const first = newest.findIndex(({ id }) => id === held[0]?.id);
  const rows = held.map((row) => newest.find(({ id }) => id === row.id) ?? row);
  return { rows, waiting: first < 0 ? newest.length : first, holdRowsWhileReading };
}

const omitEmptyMembers = (members: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(members).filter((entry) => entry[1] !== undefined && entry[1] !== ''));

interface RowsProps {
  readonly rows: readonly ListedEvent[];
  readonly selected: string | undefined;
  readonly hrefFor: (id: string) => string;
}

function EventRows({ rows, selected, hrefFor }: RowsProps) {
  const { route } = useLocation();
  return (
    <table class="requests events-table">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Deliveries</th>
          <th scope="col" class="right">
            Time
          </th>
        </tr>
      </thead>
      <tbody>
        {/* With the index as the key, a new event changes only text, and no elements move. */}
        {rows.map(({ id, type, timestamp, entityId, deliveries }, index) => (
          <tr
            key={index}
            data-selected={selected === id}
            onClick={(event) => event.target instanceof HTMLAnchorElement || route(hrefFor(id))}
          >
            <td class="request">
              <a href={hrefFor(id)} aria-current={selected === id ? 'true' : undefined} title={entityId}>
                <TypeName type={type} />
              </a>
              <small>{entityId || 'no entity'}</small>
            </td>
            <td>
              <DeliveryStates deliveries={deliveries} />
            </td>
            <td class="right">
              <TimeText ms={Date.parse(timestamp)} format="time" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Narrow lists hide the part of the type before the first dot. */
function TypeName({ type }: { type: string }) {
  const [first = '', ...rest] = type.split(/(?<=\.)/);
  return (
    <>
      {rest.length > 0 && <span class="type-prefix">{first}</span>}
      {rest.length > 0 ? rest.join('') : first}
    </>
  );
}

function DeliveryStates({ deliveries }: Pick<ListedEvent, 'deliveries'>) {
  if (deliveries.length === 0) return <Badge>not sent</Badge>;
  const states = [...Map.groupBy(deliveries, ({ state }) => state)];
  return (
    <span class="badges">
      {states.map(([state, { length }]) => {
        const [tone, text] = DELIVERY_STATES[state];
        return (
          <Badge key={state} tone={tone}>
            {length > 1 ? `${length} ${text}` : text}
          </Badge>
        );
      })}
    </span>
  );
}
