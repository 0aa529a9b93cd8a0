import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { CopyLine, Json } from '../../ui/code.tsx';
import { Detail } from '../../ui/detail.tsx';
import { Part } from '../../ui/page.tsx';
import { Badge, DeliveryBadges, EntityName, nameIds, TimeText } from '../../ui/values.tsx';
import { DeliveryTimeline } from './delivery.tsx';

type Event = Schemas['EventInDetail'];
type Delivery = Schemas['DeliveryWithAttempts'];

export function EventDetail({ id, back }: { id: string; back: string }) {
  const readEvent = async () => {
    const event = await call('readEvent', { event: id });
    return { event, deliveries: await Promise.all(event.deliveries.map((each) => call('readDelivery', { deliveryId: each.id }))) };
  };
  const loaded = useResource(readEvent, [id], { on: ['delivery'] });
  return (
    <Detail label="Event" back={back} from={loaded} head={({ event }) => <EventTitle event={event} />}>
      {({ event, deliveries }) => (
        <>
          {event.subscriptions.length === 0 && <p class="muted">There was no subscription, so the event was not sent.</p>}
          {event.subscriptions
            .toSorted((one, other) => rankResult(one) - rankResult(other))
            .map((recipient) => (
              <RecipientPart
                key={recipient.subscriptionId}
                recipient={recipient}
                delivery={deliveries.find((each) => each.id === recipient.deliveryId)}
              />
            ))}
          <EventBody event={event} delivery={deliveries[0]} />
        </>
      )}
    </Detail>
  );
}

/** Failures come first, and subscriptions without a delivery last. */
const RESULTS: readonly string[] = ['exhausted', 'pending', 'held', 'acknowledged'];
const rankResult = ({ result }: Recipient) => (RESULTS.includes(result) ? RESULTS.indexOf(result) : RESULTS.length);

const EventTitle = ({ event: { type, timestamp, id, entityId } }: { event: Event }) => (
  <>
    <h2>{type}</h2>
    <p class="row facts muted text-2">
      <TimeText at={timestamp} />
      <span>about {entityId ? <EntityName id={entityId} /> : 'no entity'}</span>
      <CopyLine text={id} label="event id" />
    </p>
  </>
);

type Recipient = Event['subscriptions'][number];

function RecipientPart({ recipient, delivery }: { recipient: Recipient; delivery: Delivery | undefined }) {
  const { subscription, subscriptionId, text } = recipient;
  const name = nameIds(subscription ?? subscriptionId);
  const badge = delivery ? <DeliveryBadges deliveries={[delivery]} /> : <Badge>not sent</Badge>;
  return (
    <Part title={name} label={`Subscription ${name}`} actions={badge}>
      {delivery ? <DeliveryTimeline delivery={delivery} /> : <p class="muted">{text}</p>}
    </Part>
  );
}

function EventBody({ event, delivery }: { event: Event; delivery: Delivery | undefined }) {
  if (!delivery)
    return (
      <Part title="Data">
        <Json value={event.data} label="event data" />
      </Part>
    );
  const { errors, body, headers } = delivery;
  const badge = errors.length === 0 ? <Badge tone="good">matches the contract</Badge> : <Badge tone="bad">breaks the contract</Badge>;
  return (
    <Part title="Body" label="Body" actions={badge}>
      {errors.length > 0 && (
        <ul class="bullets field-error">
          {errors.map(({ pointer, message }) => (
            <li key={pointer + message}>
              <code>{pointer || 'the body'}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <Json value={body} label="event body" />
      {headers && <Json value={headers} label="additional headers" />}
    </Part>
  );
}
