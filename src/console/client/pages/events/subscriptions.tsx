import { useState } from 'preact/hooks';
import { call, type Schemas } from '../../kit/control.ts';
import type { Resource } from '../../kit/resource.ts';
import { Action } from '../../ui/action.tsx';
import { Badge, DeliveryCounts } from '../../ui/badge.tsx';
import { CopyLine } from '../../ui/code.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyNote, Facts, Loaded, Section } from '../../ui/page.tsx';
import { formatDuration } from '../../ui/time.tsx';
import { showToast } from '../../ui/toast.tsx';
import { eventTypes } from './list.tsx';

type Subscription = Schemas['SubscriptionInForce'];
type OpenDialog = { readonly kind: 'create' } | { readonly kind: 'mode' | 'delete'; readonly subscription: Subscription };

export function Subscriptions({ subscriptions }: { subscriptions: Resource<Subscription[]> }) {
  const [opened, open] = useState<OpenDialog>();
  const close = () => open(undefined);
  const finish = (text: string) => {
    showToast(text);
    close();
    return subscriptions.reload();
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
        <Loaded
          from={subscriptions}
          lines={6}
          empty={
            <EmptyNote icon="events" title="No subscriptions">
              Create one to send events to your receiver or to the kit's inbox.
            </EmptyNote>
          }
        >
          {(rows) => (
            <ul class="lines">
              {rows.map((each) => (
                <SubscriptionRow key={each.id} subscription={each} open={open} reload={subscriptions.reload} />
              ))}
            </ul>
          )}
        </Loaded>
      </Section>
      {opened?.kind === 'create' && (
        <Dialog title="New subscription" onClose={close}>
          <OperationForm
            operation="createSubscription"
            first={['alias', 'provider', 'destinationUrl', 'types']}
            initial={{ types: eventTypes }}
            action="Create"
            onCancel={close}
            onDone={({ alias }) => void finish(`${alias} was created.`)}
          />
        </Dialog>
      )}
      {opened?.kind === 'mode' && (
        <Dialog title={`Delivery mode of ${opened.subscription.alias}`} onClose={close}>
          <OperationForm
            operation="setDeliveryMode"
            fixed={{ subscriptionId: opened.subscription.id }}
            initial={opened.subscription.mode ?? {}}
            action="Use this mode"
            onCancel={close}
            onDone={() => void finish(`The delivery mode of ${opened.subscription.alias} was changed.`)}
          />
        </Dialog>
      )}
      {opened?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${opened.subscription.alias}?`}
          action="Delete"
          onClose={close}
          onConfirm={async () => {
            await call('deleteSubscription', { subscriptionId: opened.subscription.id });
            await finish(`${opened.subscription.alias} was deleted.`);
          }}
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
  const pauseDeliveries = async () => {
    await call('setDeliveryMode', { subscriptionId, hold: true });
    await reload();
    return `Deliveries to ${alias} are held.`;
  };
  const resumeDeliveries = async () => {
    await call('removeDeliveryMode', { subscriptionId });
    const { released } = await call('releaseDeliveries', { subscriptionId });
    await reload();
    return `${alias} was resumed. ${released.length} held ${released.length === 1 ? 'delivery was' : 'deliveries were'} sent, oldest first.`;
  };
  const removeMode = async () => {
    await call('removeDeliveryMode', { subscriptionId });
    await reload();
    return `Deliveries to ${alias} are sent once, immediately.`;
  };
  const hasDeliveries = Object.values(deliveries).some((count) => count > 0);
  return (
    <li class="stack" aria-label={alias}>
      <header class="row">
        <h3>{alias}</h3>
        {isPaused ? <Badge tone="warn">paused</Badge> : mode && <Badge tone="info">{formatMode(mode)}</Badge>}
      </header>
      <Facts
        class="text-2"
        of={{
          Destination:
            destinationUrl === undefined ? <a href={buildHref('/events/inbox')}>the kit's inbox</a> : <code>{destinationUrl}</code>,
          Types: <span title={types.join('\n')}>{types.length === eventTypes.length ? 'all' : types.join(', ')}</span>,
          Deliveries: hasDeliveries ? <DeliveryCounts counts={deliveries} /> : 'none yet',
          Secret: <CopyLine isPlain text={secret} label={`secret of ${alias}`} />,
        }}
      />
      <div class="row">
        {isPaused ? <Action run={resumeDeliveries}>Resume</Action> : <Action run={pauseDeliveries}>Pause</Action>}
        {deliveries.held > 0 && (
          <a class="button" href={buildHref(`/events/held/${subscriptionId}`)}>
            Arrange held deliveries
          </a>
        )}
        <button type="button" onClick={() => open({ kind: 'mode', subscription })}>
          Delivery mode
        </button>
        {mode && !isPaused && <Action run={removeMode}>Remove the mode</Action>}
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
