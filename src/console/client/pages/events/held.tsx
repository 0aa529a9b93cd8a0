import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useLive } from '../../kit/live.ts';
import type { Resource } from '../../kit/resource.ts';
import { buildHref } from '../../ui/href.ts';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { runAction } from '../../ui/toast.tsx';
import { ArrangeDeliveries } from './arrange.tsx';

type Subscription = Schemas['SubscriptionInForce'];
type Delivery = Schemas['Delivery'];

interface HeldProps {
  readonly subscriptions: Resource<Subscription[]>;
  readonly selected: string | undefined;
}

export function HeldDeliveries({ subscriptions, selected }: HeldProps) {
  const { route } = useLocation();
  return (
    <Loaded from={subscriptions} lines={8}>
      {(all) => {
        const shown = all.find(({ id }) => id === selected) ?? all.find(hasHold) ?? all[0];
        if (!shown)
          return (
            <EmptyNote icon="events" title="There is no subscription">
              <p>
                <a href={buildHref('/events/subscriptions')}>Create a subscription</a>, and hold its deliveries.
              </p>
            </EmptyNote>
          );
        return (
          <Section
            title="Held deliveries"
            lead="Release them in the order in which the receiver should get them. Each delivery is sent after the receiver has responded to the previous one."
          >
            <label class="field narrow">
              <span>Subscription</span>
              <select value={shown.id} onChange={({ currentTarget }) => route(buildHref(`/events/held/${currentTarget.value}`), true)}>
                {all.map(({ id, alias, deliveries }) => (
                  <option key={id} value={id}>
                    {alias} ({deliveries.held} held)
                  </option>
                ))}
              </select>
            </label>
            <HeldList key={shown.id} subscription={shown} reload={subscriptions.reload} />
          </Section>
        );
      }}
    </Loaded>
  );
}

const hasHold = ({ deliveries, mode }: Subscription) => deliveries.held > 0 || mode?.hold === true;

function HeldList({ subscription, reload }: { subscription: Subscription; reload: () => Promise<void> }) {
  const { id: subscriptionId, alias, mode } = subscription;
  const held = useLive(
    () =>
      getResponseData(
        control.GET('/_control/deliveries', { params: { query: { subscription: subscriptionId, state: 'held', limit: MAX_HELD } } }),
      ),
    [subscriptionId],
    ['event', 'delivery'],
  );
  const [arranged, arrange] = useState<readonly string[]>([]);
  const path = { params: { path: { subscriptionId } } };
  const refresh = () => Promise.all([held.reload(), reload()]);
  const releaseDeliveries = async (ids: readonly string[]) => {
    const { released } = await getResponseData(
      control.POST('/_control/subscriptions/{subscriptionId}/release', { ...path, body: { order: [...ids] } }),
    );
    await refresh();
    return `${released.length} of ${ids.length} released.`;
  };
  const setHold = async (isOn: boolean) => {
    if (isOn)
      await getResponseData(control.PUT('/_control/subscriptions/{subscriptionId}/delivery-mode', { ...path, body: { hold: true } }));
    else await getResponseData(control.DELETE('/_control/subscriptions/{subscriptionId}/delivery-mode', path));
    await refresh();
  };
  const isHolding = mode?.hold === true;
  return (
    <>
      <p class="hold-state">
        {isHolding ? `New deliveries to ${alias} are held.` : `New deliveries to ${alias} are sent immediately.`}
        <button type="button" onClick={() => void runAction(() => setHold(!isHolding))}>
          {isHolding ? 'Stop holding' : 'Hold new deliveries'}
        </button>
      </p>
      <Loaded from={held} lines={5}>
        {(rows) => {
          const order = sortDeliveries(rows, arranged);
          if (order.length === 0)
            return (
              <EmptyNote icon="clock" title="Nothing is held">
                <p>{isHolding ? 'The next event appears here.' : 'Hold new deliveries, then trigger events.'}</p>
              </EmptyNote>
            );
          const ids = order.map(({ id }) => id);
          return (
            <>
              <ArrangeDeliveries order={order} onChange={arrange} />
              <div class="actions">
                <button
                  type="button"
                  class="primary"
                  onClick={() =>
                    void runAction(
                      () => releaseDeliveries(ids),
                      (text) => text,
                    )
                  }
                >
                  Release all in this order
                </button>
                <button
                  type="button"
                  onClick={() =>
                    void runAction(
                      () => releaseDeliveries(ids.slice(0, 1)),
                      (text) => text,
                    )
                  }
                >
                  Release the first
                </button>
                <button type="button" onClick={() => arrange(ids.toReversed())}>
                  Reverse
                </button>
              </div>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const MAX_HELD = 200;

/** Sorts the deliveries in the order of the ids in `arranged`, followed by all other deliveries, oldest first. */
function sortDeliveries(rows: readonly Delivery[], arranged: readonly string[]): Delivery[] {
  const place = new Map(arranged.map((id, index) => [id, index]));
  return rows.toReversed().sort((a, b) => (place.get(a.id) ?? arranged.length) - (place.get(b.id) ?? arranged.length));
}
