import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, dataOf, type Schemas } from '../../kit/control.ts';
import { useLive } from '../../kit/live.ts';
import { Badge, DELIVERY_STATES } from '../../ui/badge.tsx';
import { hrefOf } from '../../ui/href.ts';
import { LiveList } from '../../ui/live-list.tsx';
import { EmptyList, Loaded } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { EventDetail } from './detail.tsx';
import { eventTypes } from './event-types.ts';

type Listed = Schemas['EventWithDeliveries'];

const PAGE = 50;

/** The events, the newest first, and the detail of one of them. */
export function EventList({ selected }: { selected: string | undefined }) {
  const { query, path, route } = useLocation();
  const { type, entity, before } = query;
  const filter = { type, entity, before };
  const events = useLive(
    () => dataOf(control.GET('/_control/events', { params: { query: { limit: PAGE, ...given(filter) } } })),
    [type, entity, before],
    before === undefined ? ['event', 'delivery'] : ['delivery'],
  );
  const scroller = useRef<HTMLElement>(null);
  const { rows, waiting, hold } = useHeld(events.data, JSON.stringify(filter));
  const here = (members: object) => `${path}${hrefOf('', { ...filter, ...members }).slice(hrefOf('').length)}`;
  const last = rows?.length === PAGE ? rows.at(-1)?.id : undefined;
  return (
    <>
      <search class="event-filters" aria-label="Filters">
        <label class="field">
          <span>Type</span>
          <select value={type ?? ''} onChange={({ currentTarget }) => route(here({ type: currentTarget.value, before: undefined }), true)}>
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
            onChange={({ currentTarget }) => route(here({ entity: currentTarget.value.trim(), before: undefined }), true)}
          />
        </label>
      </search>
      <div class="split" data-open={selected !== undefined}>
        <LiveList label="Events, the newest first" scroller={scroller} waiting={waiting} hold={hold}>
          <Loaded from={{ ...events, data: rows }} lines={14}>
            {(shown) =>
              shown.length === 0 ? (
                <EmptyList
                  of="event"
                  icon="events"
                  href="/events"
                  isFiltered={type !== undefined || entity !== undefined || before !== undefined}
                >
                  A change publishes an event: create a connection, an assignment or a user in the <a href={hrefOf('/world')}>world</a>.
                  Loading or resetting a world publishes none.
                </EmptyList>
              ) : (
                <Rows rows={shown} selected={selected} hrefFor={(id) => hrefOf(`/events/event/${id}`, filter)} />
              )
            }
          </Loaded>
          {(last !== undefined || before !== undefined) && (
            <p class="paging">
              {before !== undefined && <a href={here({ before: undefined })}>Newest events</a>}
              {last !== undefined && <a href={here({ before: last })}>Older events</a>}
            </p>
          )}
        </LiveList>
        {selected !== undefined && <EventDetail key={selected} id={selected} back={hrefOf('/events', filter)} />}
      </div>
    </>
  );
}

/** Lets the events that somebody reads stay in their places. Only their deliveries are updated. Newer events are counted. */
function useHeld(newest: readonly Listed[] | undefined, filter: string) {
  const [held, setHeld] = useState<readonly Listed[]>();
  useEffect(() => setHeld(undefined), [filter]);
  const hold = (isHeld: boolean) => setHeld((before) => (isHeld ? (before ?? newest) : undefined));
  if (held === undefined || newest === undefined) return { rows: newest, waiting: 0, hold };
  const first = newest.findIndex(({ id }) => id === held[0]?.id);
  const rows = held.map((row) => newest.find(({ id }) => id === row.id) ?? row);
  return { rows, waiting: first < 0 ? newest.length : first, hold };
}

const given = (members: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(members).filter((entry) => entry[1] !== undefined && entry[1] !== ''));

interface RowsProps {
  readonly rows: readonly Listed[];
  readonly selected: string | undefined;
  readonly hrefFor: (id: string) => string;
}

function Rows({ rows, selected, hrefFor }: RowsProps) {
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
        {/* With the index as key, an arriving event changes texts and moves nothing. */}
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
              <Deliveries deliveries={deliveries} />
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

/** The name of a type. Its first part, which many types share, is left out where there is little space. */
function TypeName({ type }: { type: string }) {
  const [first = '', ...rest] = type.split(/(?<=\.)/);
  return (
    <>
      {rest.length > 0 && <span class="type-prefix">{first}</span>}
      {rest.length > 0 ? rest.join('') : first}
    </>
  );
}

/** The states of the deliveries of an event, each once. */
function Deliveries({ deliveries }: Pick<Listed, 'deliveries'>) {
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
