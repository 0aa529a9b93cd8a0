import { call, type Schemas, type Subscription } from '../../kit/control.ts';
import type { Resource } from '../../kit/resource.ts';
import { Action, ButtonLink } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { ConfirmButton, DialogButton } from '../../ui/dialog.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { buildHref, EmptyNote, Facts, LoadedSection } from '../../ui/page.tsx';
import { Badge, deliveryStates, formatDuration, nameIds, StateBadge } from '../../ui/values.tsx';
import { isFailing, ReceiverHealth, RetryAll } from './health.tsx';
import { eventTypes } from './list.tsx';

export function Subscriptions({ subscriptions }: { subscriptions: Resource<Subscription[]> }) {
  return (
    <LoadedSection
      from={subscriptions}
      empty={<EmptyNote title="No subscriptions" lead="Create one to send events to your receiver or to the kit's inbox." />}
      title="Subscriptions"
      actions={
        <DialogButton class="primary" icon="plus" text="New subscription" title="New subscription">
          {(close) => (
            <OperationForm
              operation="createSubscription"
              first={['alias', 'provider', 'destinationUrl', 'types']}
              initial={{ types: eventTypes }}
              action="Create"
              onClose={close}
              done={({ alias }) => `${alias} was created.`}
            />
          )}
        </DialogButton>
      }
    >
      {(rows) => (
        <ul class="lines">
          {rows.map((each) => (
            <SubscriptionRow key={each.id} subscription={each} />
          ))}
        </ul>
      )}
    </LoadedSection>
  );
}

function SubscriptionRow({ subscription }: { subscription: Subscription }) {
  const { id: subscriptionId, destinationUrl, types, secret, deliveries, mode } = subscription;
  const alias = nameIds(subscription.alias);
  const isPaused = mode?.hold === true;
  const resumeDeliveries = async () => {
    await call('removeDeliveryMode', { subscriptionId });
    return call('releaseDeliveries', { subscriptionId });
  };
  const describeResume = ({ released: { length } }: { released: readonly unknown[] }) =>
    `${alias} was resumed. ${length} held ${length === 1 ? 'delivery was' : 'deliveries were'} sent, oldest first.`;
  const hasDeliveries = Object.values(deliveries).some((count) => count > 0);
  return (
    <li class="stack" aria-label={alias}>
      <header class="row">
        <h3>
          <a href={buildHref(`/world/subscriptions/${subscriptionId}`)} title="Open the subscription and its history">
            {alias}
          </a>
        </h3>
        {isPaused ? <Badge tone="warn">paused</Badge> : mode && <Badge tone="info">{formatMode(mode)}</Badge>}
      </header>
      <Facts
        class="text-2"
        of={{
          Destination:
            destinationUrl === undefined ? <a href={buildHref('/events/inbox')}>the kit's inbox</a> : <code>{destinationUrl}</code>,
          Types: <span title={types.join('\n')}>{types.length === eventTypes.length ? 'all' : types.join(', ')}</span>,
          Deliveries: hasDeliveries ? <DeliveryCounts subscription={subscription} /> : 'none yet',
          Receiver: destinationUrl === undefined ? undefined : <ReceiverHealth health={subscription.health} />,
          Secret: <CopyLine text={secret} label={`secret of ${alias}`} />,
        }}
      />
      <div class="row">
        {isPaused ? (
          <Action run={resumeDeliveries} done={describeResume} text="Resume" />
        ) : (
          <Action
            run={() => call('setDeliveryMode', { subscriptionId, hold: true })}
            done={`Deliveries to ${alias} are held.`}
            text="Pause"
          />
        )}
        {isFailing(subscription) && <RetryAll subscription={subscription} />}
        {deliveries.held > 0 && <ButtonLink href={buildHref(`/events/held/${subscriptionId}`)} text="Arrange held deliveries" />}
        <DialogButton text="Delivery mode" title={`Delivery mode of ${alias}`}>
          {(close) => (
            <OperationForm
              operation="setDeliveryMode"
              fixed={{ subscriptionId }}
              initial={mode ?? {}}
              action="Use this mode"
              onClose={close}
              done={`The delivery mode of ${alias} was changed.`}
            />
          )}
        </DialogButton>
        {mode && !isPaused && (
          <Action
            run={() => call('removeDeliveryMode', { subscriptionId })}
            done={`Deliveries to ${alias} are sent once, immediately.`}
            text="Remove the mode"
          />
        )}
        <ConfirmButton
          class="danger"
          text="Delete"
          title={`Delete ${alias}?`}
          warning="Its pending deliveries will not be sent. Later events are sent only to the other subscriptions."
          run={() => call('deleteSubscription', { subscriptionId })}
          done={`${alias} was deleted.`}
        />
      </div>
    </li>
  );
}

const DeliveryCounts = ({ subscription: { alias, deliveries, health } }: { subscription: Subscription }) => {
  const counts = { ...deliveries, failing: health.failing, pending: deliveries.pending - health.failing };
  return (
    <span class="row">
      {deliveryStates
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <a key={state} href={buildHref('/events', { subscription: alias, state })}>
            <StateBadge state={state}>
              {counts[state]} {state}
            </StateBadge>
          </a>
        ))}
    </span>
  );
};

function formatMode({ duplicate, reorder, delay, dropAcknowledgement, hold }: Schemas['DeliveryMode']): string {
  const parts = [
    hold && 'hold',
    duplicate !== undefined && `${duplicate + 1} copies`,
    delay !== undefined && `delayed by ${formatDuration(delay)}`,
    reorder && `reordered within ${formatDuration(reorder.window)}`,
    dropAcknowledgement !== undefined && `${dropAcknowledgement} lost acknowledgements`,
  ];
  return parts.filter(Boolean).join(', ');
}
