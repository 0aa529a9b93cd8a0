import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call, type Schemas, type Subscription } from '../../kit/control.ts';
import { type Resource, useResource } from '../../kit/resource.ts';
import { Action, Button } from '../../ui/button.tsx';
import { ChoiceInput } from '../../ui/inputs.tsx';
import { buildHref, EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { Named, nameIds, TimeText } from '../../ui/values.tsx';

type Delivery = Schemas['Delivery'];

const MAX_HELD = 200;

export function HeldDeliveries({ subscriptions, selected }: { subscriptions: Resource<Subscription[]>; selected: string | undefined }) {
  const { route } = useLocation();
  const empty = (
    <EmptyNote title="There is no subscription">
      <a href={buildHref('/events/subscriptions')}>Create a subscription</a>, and hold its deliveries.
    </EmptyNote>
  );
  return (
    <Loaded from={subscriptions} empty={empty}>
      {(all) => {
        const shown = all.find(({ id }) => id === selected) ?? all.find(hasHold) ?? all[0];
        return (
          shown && (
            <Section
              title="Held deliveries"
              lead="Release held deliveries in the order in which the receiver should get them. Each delivery is sent after the receiver has responded to the previous one."
            >
              <div class="row wide filters">
                <ChoiceInput
                  label="Subscription"
                  options={all.map(({ id, alias, deliveries }) => [id, `${nameIds(alias)} (${deliveries.held} held)`])}
                  value={shown.id}
                  onChange={(id) => route(buildHref(`/events/held/${id ?? ''}`), true)}
                />
              </div>
              <HeldList key={shown.id} subscription={shown} />
            </Section>
          )
        );
      }}
    </Loaded>
  );
}

const hasHold = ({ deliveries, mode }: Subscription) => deliveries.held > 0 || mode?.hold === true;

function HeldList({ subscription }: { subscription: Subscription }) {
  const { id: subscriptionId, alias, mode } = subscription;
  const listHeld = () => call('listDeliveries', { subscription: subscriptionId, state: 'held', limit: MAX_HELD });
  const held = useResource(listHeld, [subscriptionId], { on: ['event', 'delivery'] });
  const [arranged, arrange] = useState<readonly string[]>([]);
  const isHolding = mode?.hold === true;
  const toggleHold = () =>
    isHolding ? call('removeDeliveryMode', { subscriptionId }) : call('setDeliveryMode', { subscriptionId, hold: true });
  const empty = (
    <EmptyNote title="Nothing is held">
      {isHolding ? 'The next event appears here.' : 'Hold new deliveries, then trigger events.'}
    </EmptyNote>
  );
  return (
    <>
      <p class="row">
        {`New deliveries to ${nameIds(alias)} are ${isHolding ? 'held' : 'sent immediately'}.`}
        <Action run={toggleHold} text={isHolding ? 'Stop holding' : 'Hold new deliveries'} />
      </p>
      <Loaded from={held} empty={empty}>
        {(rows) => {
          const order = sortDeliveries(rows, arranged);
          const ids = order.map(({ id }) => id);
          const release = (count: number) => ({
            run: () => call('releaseDeliveries', { subscriptionId, order: ids.slice(0, count) }),
            done: ({ released }: { released: readonly unknown[] }) => `${released.length} of ${count} released.`,
          });
          return (
            <>
              <ArrangeDeliveries order={order} onChange={arrange} />
              <div class="row">
                <Action class="primary" {...release(ids.length)} text="Release all in this order" />
                <Action {...release(1)} text="Release the first" />
                <Button onClick={() => arrange(ids.toReversed())} text="Reverse" />
              </div>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Sorts the deliveries in the order of the ids in `arranged`, followed by all other deliveries, oldest first. */
function sortDeliveries(rows: readonly Delivery[], arranged: readonly string[]): Delivery[] {
  const place = new Map(arranged.map((id, index) => [id, index]));
  return rows.toReversed().sort((a, b) => (place.get(a.id) ?? arranged.length) - (place.get(b.id) ?? arranged.length));
}

function ArrangeDeliveries({ order, onChange }: { order: readonly Delivery[]; onChange: (ids: readonly string[]) => void }) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ id: string; by: 1 | -1 } | undefined>(undefined);
  const [message, announce] = useState('');
  // Restores the focus, because a button loses the focus when it moves.
  useLayoutEffect(() => {
    if (moved.current === undefined) return;
    const { id, by } = moved.current;
    moved.current = undefined;
    list.current?.querySelector<HTMLElement>(`[data-move="${id} ${by}"]`)?.focus();
  });
  const ids = order.map(({ id }) => id);
  const moveDelivery = (id: string, index: number, by: 1 | -1) => {
    const to = index + by;
    if (!ids[to]) return;
    moved.current = { id, by };
    onChange(ids.toSpliced(index, 1).toSpliced(to, 0, id));
    announce(`Now ${to + 1} of ${ids.length}.`);
  };
  return (
    <>
      <ol class="lines box" ref={list} aria-label="Held deliveries in release order">
        {order.map(({ id, type, entityId, createdAt }, index) => (
          <li key={id} class="row nowrap">
            <span class="num muted">{index + 1}</span>
            <div class="fill">
              <strong>{type}</strong>
              <small>
                {entityId ? <Named text={entityId} /> : 'no entity'} · <TimeText at={createdAt} format="time" />
              </small>
            </div>
            {([-1, 1] as const).map((by) => (
              <Button
                key={by}
                class="quiet"
                icon={by < 0 ? 'up' : 'down'}
                data-move={`${id} ${by}`}
                aria-disabled={!ids[index + by]}
                label={`Move ${type} from position ${index + 1} ${by < 0 ? 'up' : 'down'}`}
                onClick={() => moveDelivery(id, index, by)}
              />
            ))}
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {message}
      </p>
    </>
  );
}
