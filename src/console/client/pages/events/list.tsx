import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { controlTable } from '../../../../contract/generated/control-table.ts';
import type { OperationValues } from '../../../../control-client/call.ts';
import { call, type Schemas, type Subscription } from '../../kit/control.ts';
import { type Resource, useResource } from '../../kit/resource.ts';
import { FilterBar } from '../../ui/filters.tsx';
import { LiveList } from '../../ui/live-list.tsx';
import { buildHref, EmptyList, pickQuery } from '../../ui/page.tsx';
import type { Column, RowLink } from '../../ui/table.tsx';
import { Badge, DeliveryBadges, deliveryStates, Named, nameIds, TimeText } from '../../ui/values.tsx';
import { EventDetail } from './detail.tsx';
import { FailingReceivers } from './health.tsx';

type ListedEvent = Schemas['EventWithDeliveries'];
type EventFilter = Pick<OperationValues<'listEvents'>, 'state' | 'subscription' | 'type' | 'entity' | 'before'>;

const PAGE_SIZE = 50;
const ROW_HEIGHT_PX = 56;
export const eventTypes = controlTable.createSubscription.fields.types?.items?.enum ?? [];

const COLUMNS: readonly Column<ListedEvent>[] = [
  { name: 'Event', cell: (event, link) => <EventName {...event} link={link} /> },
  {
    name: 'Deliveries',
    class: 'deliveries',
    cell: ({ deliveries }) => (deliveries.length === 0 ? <Badge>not sent</Badge> : <DeliveryBadges deliveries={deliveries} />),
  },
  { name: 'Time', class: 'right medium', cell: ({ timestamp }) => <TimeText at={timestamp} format="time" /> },
];

export function EventList({ subscriptions, selected }: { subscriptions: Resource<Subscription[]>; selected: string | undefined }) {
  const { query, path } = useLocation();
  const filter = pickQuery(query, ['state', 'subscription', 'type', 'entity', 'before']) as EventFilter;
  const { before } = filter;
  const key = JSON.stringify(filter);
  const events = useResource(() => call('listEvents', { limit: PAGE_SIZE, ...filter }), [key], {
    on: before === undefined ? ['event', 'delivery'] : ['delivery'],
  });
  const { rows, waiting, holdRowsWhileReading } = useHeldEvents(events.data, key);
  const buildListHref = (members: object) =>
    `${path}${buildHref('', { ...filter, before: undefined, ...members }).slice(buildHref('').length)}`;
  const all = subscriptions.data ?? [];
  const counts = countDeliveries(all.filter(({ alias }) => filter.subscription === undefined || alias === filter.subscription));
  const last = rows?.length === PAGE_SIZE ? rows.at(-1)?.id : undefined;
  return (
    <>
      <FailingReceivers subscriptions={all} />
      <FilterBar
        query={{ ...filter }}
        hrefFor={(changed) => buildListHref({ ...changed, before: undefined })}
        filters={{
          state: { label: 'Delivery state', options: deliveryStates.map((state) => [state, `${state} (${counts[state]})`] as const) },
          subscription: {
            label: 'Subscription',
            options: all.map(
              ({ alias, health }) => [alias, nameIds(alias) + (health.failing > 0 ? ` (${health.failing} failing)` : '')] as const,
            ),
          },
          type: { label: 'Type', placeholder: 'All types', options: [...eventTypes, 'raw'] },
          entity: { label: 'Entity', placeholder: 'alias or id' },
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
            <EmptyList kind="event" isFiltered={Object.keys(filter).length > 0}>
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

/** `pending` includes the failing deliveries. */
const countDeliveries = (subscriptions: readonly Subscription[]) =>
  Object.fromEntries(
    deliveryStates.map((state) => [
      state,
      subscriptions.reduce((sum, { deliveries, health }) => sum + (state === 'failing' ? health.failing : deliveries[state]), 0),
    ]),
  );

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
function EventName({ type, entityId, link }: ListedEvent & { readonly link: RowLink }) {
  const [first = '', ...rest] = type.split(/(?<=\.)/);
  return (
    <>
      <a {...link}>
        {rest.length > 0 && <span class="wide-only">{first}</span>}
        {rest.length > 0 ? rest.join('') : first}
      </a>
      <small>{entityId ? <Named text={entityId} /> : 'no entity'}</small>
    </>
  );
}
