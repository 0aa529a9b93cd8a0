import { call, type Subscription } from '../../kit/control.ts';
import { kitNow } from '../../kit/state.ts';
import { Action } from '../../ui/button.tsx';
import { buildHref } from '../../ui/page.tsx';
import { formatDuration, formatInstant, Named, nameIds, Status } from '../../ui/values.tsx';

export const isFailing = ({ health, deliveries }: Subscription) => health.failing > 0 || deliveries.exhausted > 0;

/** How the receiver has responded, such as "0 of 12 attempts acknowledged, failing since 14:02:10, last 500, next attempt in 4m". */
export function ReceiverHealth({ health }: Pick<Subscription, 'health'>) {
  const { attempts, acknowledged, lastAttempt, failingSince, nextAttemptAt } = health;
  if (!lastAttempt) return <span class="muted">no recent attempts</span>;
  const wait = nextAttemptAt === undefined ? undefined : Date.parse(nextAttemptAt) - kitNow.value;
  const facts = [
    `${acknowledged} of ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} acknowledged`,
    failingSince && `failing since ${formatInstant(failingSince)}`,
    wait !== undefined && `next attempt ${wait > 0 ? `in ${formatDuration(wait)}` : 'now'}`,
    lastAttempt.error,
  ];
  return (
    <>
      <Status status={lastAttempt.status} /> {facts.filter(Boolean).join(', ')}
    </>
  );
}

const MAX_RECEIVERS_SHOWN = 2;

export function FailingReceivers({ subscriptions = [] }: { subscriptions: readonly Subscription[] | undefined }) {
  const failing = subscriptions.filter(isFailing);
  return (
    <>
      {failing.slice(0, MAX_RECEIVERS_SHOWN).map((each) => (
        <FailingReceiver key={each.id} subscription={each} />
      ))}
      {failing.length > MAX_RECEIVERS_SHOWN && (
        <a href={buildHref('/events/subscriptions')}>{failing.length - MAX_RECEIVERS_SHOWN} more failing receivers</a>
      )}
    </>
  );
}

function FailingReceiver({ subscription }: { subscription: Subscription }) {
  const { alias, health, deliveries } = subscription;
  const states = [health.failing > 0 && `${health.failing} failing`, deliveries.exhausted > 0 && `${deliveries.exhausted} exhausted`];
  return (
    <section class="row between callout" data-tone="bad" aria-label={`Failing deliveries to ${nameIds(alias)}`}>
      <div>
        <strong>
          <a href={buildHref('/events', { subscription: alias, state: health.failing > 0 ? 'failing' : 'exhausted' })}>
            <Named text={alias} />
          </a>
          : {states.filter(Boolean).join(', ')}
        </strong>
        <p class="text-2">
          <ReceiverHealth health={health} />
        </p>
      </div>
      <RetryAll subscription={subscription} />
    </section>
  );
}

const EPOCH = '1970-01-01T00:00:00Z';

export function RetryAll({ subscription: { id, alias } }: { subscription: Subscription }) {
  return (
    <Action
      run={() => call('recover', { subscriptionId: id, since: EPOCH })}
      done={({ deliveries: sent }) => `${sent} ${sent === 1 ? 'delivery is' : 'deliveries are'} being sent to ${alias} again.`}
      icon="repeat"
      label={`Retry all failed deliveries to ${nameIds(alias)}`}
      text="Retry all failed"
    />
  );
}
