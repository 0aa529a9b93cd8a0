import { useEffect, useRef } from 'preact/hooks';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useLive } from '../../kit/live.ts';
import { Badge, DeliveryStateBadge } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Json } from '../../ui/json.tsx';
import { ErrorNote, Skeleton } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { DeliveryTimeline } from './delivery.tsx';

type Detail = Schemas['EventInDetail'];
type Delivery = Schemas['DeliveryWithAttempts'];

export function EventDetail({ id, back }: { id: string; back: string }) {
  const loaded = useLive(
    async () => {
      const event = await getResponseData(control.GET('/_control/events/{event}', { params: { path: { event: id } } }));
      const readDelivery = ({ id: deliveryId }: { id: string }) =>
        getResponseData(control.GET('/_control/deliveries/{deliveryId}', { params: { path: { deliveryId } } }));
      return { event, deliveries: await Promise.all(event.deliveries.map(readDelivery)) };
    },
    [id],
    ['delivery'],
  );
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <article class="detail" ref={panel} aria-label="Event">
      <header class="detail-head">
        <a class="button close" href={back} aria-label="Close the detail">
          <Icon name="close" />
        </a>
        {loaded.data ? <EventTitle event={loaded.data.event} /> : <h2>Event {id}</h2>}
      </header>
      {loaded.error && <ErrorNote error={loaded.error} />}
      {!loaded.data && !loaded.error && <Skeleton lines={10} />}
      {loaded.data && (
        <>
          {loaded.data.event.subscriptions.length === 0 && <p class="lead">There was no subscription, so the event was not sent.</p>}
          {loaded.data.event.subscriptions.map((recipient) => (
            <Recipient
              key={recipient.subscriptionId}
              recipient={recipient}
              delivery={loaded.data?.deliveries.find((each) => each.id === recipient.deliveryId)}
              reload={loaded.reload}
            />
          ))}
          <EventBody event={loaded.data.event} delivery={loaded.data.deliveries[0]} />
        </>
      )}
    </article>
  );
}

function EventTitle({ event: { type, timestamp, id, entityId } }: { event: Detail }) {
  return (
    <div>
      <h2>{type}</h2>
      <p class="detail-facts">
        <TimeText ms={Date.parse(timestamp)} />
        <span>
          about <code>{entityId || 'nothing'}</code>
        </span>
        <span class="copied">
          <code>{id}</code>
          <CopyButton text={id} label="event id" />
        </span>
      </p>
    </div>
  );
}

interface RecipientProps {
  readonly recipient: Detail['subscriptions'][number];
  readonly delivery: Delivery | undefined;
  readonly reload: () => Promise<void>;
}

function Recipient({ recipient: { subscription, subscriptionId, text }, delivery, reload }: RecipientProps) {
  const name = subscription ?? subscriptionId;
  return (
    <section class="part" aria-label={`Subscription ${name}`}>
      <header class="recipient">
        <h3>{name}</h3>
        {delivery ? <DeliveryStateBadge state={delivery.state} /> : <Badge>not sent</Badge>}
      </header>
      {delivery ? <DeliveryTimeline delivery={delivery} reload={reload} /> : <p class="none">{text}</p>}
    </section>
  );
}

function EventBody({ event, delivery }: { event: Detail; delivery: Delivery | undefined }) {
  return (
    <section class="part" aria-label="Body">
      <header class="recipient">
        <h3>{delivery ? 'Body' : 'Data'}</h3>
        {delivery &&
          (delivery.errors.length === 0 ? <Badge tone="good">matches the contract</Badge> : <Badge tone="bad">breaks the contract</Badge>)}
      </header>
      {delivery && delivery.errors.length > 0 && (
        <ul class="body-errors">
          {delivery.errors.map(({ pointer, message }) => (
            <li key={pointer + message}>
              <code>{pointer || 'the body'}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <Json value={delivery ? delivery.body : event.data} label={delivery ? 'event body' : 'event data'} />
      {delivery?.headers && <Json value={delivery.headers} label="additional headers" />}
    </section>
  );
}
