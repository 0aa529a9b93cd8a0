import { useState } from 'preact/hooks';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import type { Resource } from '../../kit/resource.ts';
import { Badge, DELIVERY_STATES } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { formatDuration } from '../../ui/time.tsx';
import { runAction, showToast } from '../../ui/toast.tsx';
import { EntityForm } from '../world/entity-form.tsx';
import { ModeDialog } from './delivery-mode.tsx';
import { eventTypes } from './event-types.ts';

type Subscription = Schemas['SubscriptionInForce'];
type OpenDialog = { readonly kind: 'create' } | { readonly kind: 'mode' | 'delete'; readonly subscription: Subscription };

export function Subscriptions({ subscriptions }: { subscriptions: Resource<Subscription[]> }) {
  const [opened, open] = useState<OpenDialog>();
  const close = () => open(undefined);
  const removeSubscription = async ({ id: subscriptionId, alias }: Subscription) => {
    await getResponseData(control.DELETE('/_control/subscriptions/{subscriptionId}', { params: { path: { subscriptionId } } }));
    showToast(`${alias} was deleted.`);
    await subscriptions.reload();
  };
  return (
    <>
      <Section
        title="Subscriptions"
        actions={
          <button type="button" class="primary" onClick={() => open({ kind: 'create' })}>
            <Icon name="plus" /> New subscription
          </button>
        }
      >
        <Loaded from={subscriptions} lines={6}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyNote icon="events" title="No subscriptions">
                <p>Create one to send events to your receiver or to the kit's inbox.</p>
              </EmptyNote>
            ) : (
              <ul class="subscriptions">
                {rows.map((subscription) => (
                  <SubscriptionRow key={subscription.id} subscription={subscription} open={open} reload={subscriptions.reload} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      {opened?.kind === 'create' && (
        <EntityForm
          collection="subscriptions"
          actor="platform"
          initial={{ types: eventTypes }}
          onClose={close}
          onSaved={() => void subscriptions.reload()}
        />
      )}
      {opened?.kind === 'mode' && <ModeDialog subscription={opened.subscription} onClose={close} reload={subscriptions.reload} />}
      {opened?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${opened.subscription.alias}?`}
          action="Delete"
          onClose={close}
          onConfirm={() => removeSubscription(opened.subscription)}
        >
          Its pending deliveries will not be sent. Later events are sent only to the other subscriptions.
        </ConfirmDialog>
      )}
    </>
  );
}

interface RowProps {
  readonly subscription: Subscription;
  readonly open: (opened: OpenDialog) => void;
  readonly reload: () => Promise<void>;
}

function SubscriptionRow({ subscription, open, reload }: RowProps) {
  const { id: subscriptionId, alias, destinationUrl, types, secret, deliveries, mode } = subscription;
  const isPaused = mode?.hold === true;
  const path = { params: { path: { subscriptionId } } };
  const pauseDeliveries = async () => {
    await getResponseData(control.PUT('/_control/subscriptions/{subscriptionId}/delivery-mode', { ...path, body: { hold: true } }));
    await reload();
  };
  const resumeDeliveries = async () => {
    await getResponseData(control.DELETE('/_control/subscriptions/{subscriptionId}/delivery-mode', path));
    const { released } = await getResponseData(control.POST('/_control/subscriptions/{subscriptionId}/release', { ...path, body: {} }));
    await reload();
    return `${alias} was resumed. ${released.length} held ${released.length === 1 ? 'delivery was' : 'deliveries were'} sent, oldest first.`;
  };
  return (
    <li aria-label={alias}>
      <header class="recipient">
        <h3>{alias}</h3>
        {isPaused ? <Badge tone="warn">paused</Badge> : mode && <Badge tone="info">{formatMode(mode)}</Badge>}
      </header>
      <dl class="facts-list small">
        <dt>Destination</dt>
        <dd>{destinationUrl === undefined ? <a href={buildHref('/events/inbox')}>the kit's inbox</a> : <code>{destinationUrl}</code>}</dd>
        <dt>Types</dt>
        <dd title={types.join('\n')}>{types.length === eventTypes.length ? 'all' : types.join(', ')}</dd>
        <dt>Deliveries</dt>
        <dd class="badges">
          {(Object.keys(DELIVERY_STATES) as (keyof typeof DELIVERY_STATES)[])
            .filter((state) => deliveries[state] > 0)
            .map((state) => (
              <Badge key={state} tone={DELIVERY_STATES[state][0]}>
                {deliveries[state]} {DELIVERY_STATES[state][1]}
              </Badge>
            ))}
          {Object.values(deliveries).every((count) => count === 0) && 'none yet'}
        </dd>
        <dt>Secret</dt>
        <dd class="secret">
          <code>{secret}</code>
          <CopyButton text={secret} label={`secret of ${alias}`} />
        </dd>
      </dl>
      <div class="actions">
        {isPaused ? (
          <button type="button" onClick={() => void runAction(resumeDeliveries, (text) => text)}>
            Resume
          </button>
        ) : (
          <button type="button" onClick={() => void runAction(pauseDeliveries, `Deliveries to ${alias} are held.`)}>
            Pause
          </button>
        )}
        {deliveries.held > 0 && (
          <a class="button" href={buildHref(`/events/held/${subscriptionId}`)}>
            Arrange held deliveries
          </a>
        )}
        <button type="button" onClick={() => open({ kind: 'mode', subscription })}>
          Delivery mode
        </button>
        <button type="button" class="danger" onClick={() => open({ kind: 'delete', subscription })}>
          Delete
        </button>
      </div>
    </li>
  );
}

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
