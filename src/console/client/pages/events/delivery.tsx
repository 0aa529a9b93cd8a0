import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { kitNow, refreshKit } from '../../kit/state.ts';
import { Status } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { formatDuration, TimeText } from '../../ui/time.tsx';
import { runAction } from '../../ui/toast.tsx';

type Delivery = Schemas['DeliveryWithAttempts'];

export function DeliveryTimeline({ delivery, reload }: { delivery: Delivery; reload: () => Promise<void> }) {
  const { id, state, attemptLog, nextAttemptAt, subscription } = delivery;
  const redeliver = async () => {
    await getResponseData(control.POST('/_control/deliveries/{deliveryId}/redeliver', { params: { path: { deliveryId: id } } }));
    await reload();
  };
  const sendDuplicate = async () => {
    const { status, error } = await getResponseData(
      control.POST('/_control/deliveries/{deliveryId}/duplicate', { params: { path: { deliveryId: id } } }),
    );
    await reload();
    return `The duplicate was sent. The receiver ${status === undefined ? `did not respond: ${error}` : `responded with ${status}.`}`;
  };
  const sent = attemptLog.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <>
      <ol class="attempts" aria-label="Attempts">
        <li data-tone="plain">
          <TimeText ms={Date.parse(delivery.createdAt)} format="time" />
          <span>Created</span>
        </li>
        {sent.map((each) => (
          <AttemptItem key={`${each.number} ${each.at}`} attempt={each} />
        ))}
        {nextAttemptAt !== undefined && <NextAttempt at={nextAttemptAt} isFirst={delivery.attempts === 0} reload={reload} />}
        {state === 'held' && (
          <li data-tone="warn">
            <span />
            <span>
              Held until you release it.{' '}
              <a href={buildHref(`/events/held/${delivery.subscriptionId}`)}>Arrange and release held deliveries</a>
            </span>
          </li>
        )}
      </ol>
      <div class="actions">
        {subscription !== null && (
          <>
            <button
              type="button"
              title="Makes the next attempt now. The retry schedule continues from that attempt."
              onClick={() => void runAction(redeliver, 'The delivery is being sent again.')}
            >
              <Icon name="repeat" /> {state === 'held' ? 'Send now' : 'Redeliver'}
            </button>
            <button
              type="button"
              title="Sends another copy with the same webhook-id. The delivery's state and retry schedule do not change."
              onClick={() => void runAction(sendDuplicate, (text) => text)}
            >
              Duplicate
            </button>
          </>
        )}
        <a class="button" href={buildHref('/events/signature', { delivery: id })}>
          Check the signature
        </a>
      </div>
    </>
  );
}

function AttemptItem({ attempt: { number, at, status, error, durationMs } }: { attempt: Delivery['attemptLog'][number] }) {
  const isGood = status !== undefined && status < 300 && error === undefined;
  return (
    <li data-tone={isGood ? 'good' : 'bad'}>
      <TimeText ms={Date.parse(at)} format="time" />
      <span>
        <strong>{number === 0 ? 'Duplicate' : `Attempt ${number}`}</strong> <Status status={status} /> <small>in {durationMs} ms</small>
        {error !== undefined && <span class="attempt-error">{error}</span>}
      </span>
    </li>
  );
}

function NextAttempt({ at, isFirst, reload }: { at: string; isFirst: boolean; reload: () => Promise<void> }) {
  const due = Date.parse(at);
  const wait = due - kitNow.value;
  const advance = async () => {
    const { now } = await getResponseData(control.GET('/_control/clock'));
    const by = Math.max(0, due - Date.parse(now));
    const { attempts } = await getResponseData(control.POST('/_control/clock/advance', { body: { by } }));
    await Promise.all([refreshKit(), reload()]);
    return `Kit time moved by ${formatDuration(by)}. ${attempts.length === 1 ? 'One attempt was' : `${attempts.length} attempts were`} made.`;
  };
  return (
    <li data-tone="info">
      <TimeText ms={due} format="time" />
      <span>
        <strong>{isFirst ? 'First attempt' : 'Next attempt'}</strong> {wait > 0 ? `in ${formatDuration(wait)} of kit time` : 'is due now'}
        {wait > 0 && (
          <button type="button" class="primary" onClick={() => void runAction(advance, (text) => text)}>
            <Icon name="forward" /> Advance the clock to this attempt
          </button>
        )}
      </span>
    </li>
  );
}
