import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { controlTable } from '../../../../contract/generated/control-table.ts';
import { call, type Schemas } from '../../kit/control.ts';
import { useLive } from '../../kit/resource.ts';
import { Badge, DeliveryCounts, type DeliveryState } from '../../ui/badge.tsx';
import { FilterBar } from '../../ui/filters.tsx';
import { buildHref, pickQuery } from '../../ui/href.ts';
import { LiveList } from '../../ui/live-list.tsx';
import { EmptyList } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { TimeText } from '../../ui/time.tsx';
import { EventDetail } from './detail.tsx';

type ListedEvent = Schemas['EventWithDeliveries'];

const PAGE_SIZE = 50;
const ROW_HEIGHT_PX = 56;
export const eventTypes = controlTable.createSubscription.fields.types?.items?.enum ?? [];

const COLUMNS: readonly Column<ListedEvent>[] = [
  { name: 'Event', cell: (event, href) => <EventName {...event} href={href} /> },
  { name: 'Deliveries', class: 'deliveries', cell: ({ deliveries }) => <DeliveryStates deliveries={deliveries} /> },
  { name: 'Time', class: 'right medium', cell: ({ timestamp }) => <TimeText ms={Date.parse(timestamp)} format="time" /> },
];

export function EventList({ selected }: { selected: string | undefined }) {
  const { query, path } = useLocation();
  const filter = pickQuery(query, ['type', 'entity', 'before']);
  const { before } = filter;
  const key = JSON.stringify(filter);
  const events = useLive(
    () => call('listEvents', { limit: PAGE_SIZE, ...filter }),
    [key],
    before === undefined ? ['event', 'delivery'] : ['delivery'],
  );
  const { rows, waiting, holdRowsWhileReading } = useHeldEvents(events.data, key);
  const buildListHref = (members: object) =>
    `${path}${buildHref('', { ...filter, before: undefined, ...members }).slice(buildHref('').length)}`;
  const last = rows?.length === PAGE_SIZE ? rows.at(-1)?.id : undefined;
  return (
    <>
      <FilterBar
        query={filter}
        hrefFor={(changed) => buildListHref({ ...changed, before: undefined })}
        filters={{
          type: { label: 'Type', placeholder: 'All types', options: [...eventTypes, 'raw'] },
          entity: { label: 'Entity', placeholder: 'alias or id of a connection, assignment or user' },
        }}
      />
      <div class="split" data-open={selected !== undefined}>
        <LiveList
          label="Events, newest first"
          from={{ ...events, data: rows }}
          waiting={waiting}
          holdRowsWhileReading={holdRowsWhileReading}
          columns={COLUMNS}
          rowHeight={ROW_HEIGHT_PX}
          hrefFor={({ id }) => buildHref(`/events/event/${id}`, filter)}
          isSelected={({ id }) => id === selected}
          empty={
            <EmptyList kind="event" icon="events" path="/events" isFiltered={Object.keys(filter).length > 0}>
              A change publishes an event: create a connection, an assignment or a user in the <a href={buildHref('/world')}>world</a>.
              Loading or resetting a world publishes none.
            </EmptyList>
          }
        >
          {(last !== undefined || before !== undefined) && (
            <p class="row between paging">
              {before !== undefined && <a href={buildListHref({})}>Newest events</a>}
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

/** Narrow lists hide the part of the type before the first dot. */
function EventName({ type, entityId, href }: ListedEvent & { readonly href: string }) {
  const [first = '', ...rest] = type.split(/(?<=\.)/);
  return (
    <>
      <a href={href}>
        {rest.length > 0 && <span class="wide-only">{first}</span>}
        {rest.length > 0 ? rest.join('') : first}
      </a>
      <small class="mono">{entityId || 'no entity'}</small>
    </>
  );
}

function DeliveryStates({ deliveries }: Pick<ListedEvent, 'deliveries'>) {
  if (deliveries.length === 0) return <Badge>not sent</Badge>;
  const groups = [...Map.groupBy(deliveries, ({ state }) => state)].map(([state, { length }]) => [state, length] as const);
  return <DeliveryCounts counts={Object.fromEntries(groups) as Partial<Record<DeliveryState, number>>} />;
}
