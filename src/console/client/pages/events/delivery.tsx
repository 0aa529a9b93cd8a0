import { call, type Schemas } from '../../kit/control.ts';
import { kitNow } from '../../kit/state.ts';
import { Action, ButtonLink } from '../../ui/button.tsx';
import { buildHref } from '../../ui/page.tsx';
import { formatDuration, Status, TimeText } from '../../ui/values.tsx';

type Delivery = Schemas['DeliveryWithAttempts'];

export function DeliveryTimeline({ delivery }: { delivery: Delivery }) {
  const { id, state, attemptLog, nextAttemptAt, subscription, subscriptionId } = delivery;
  const sent = attemptLog.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <>
      <ol class="timeline text-2" aria-label="Attempts">
        <li data-tone="plain">
          <TimeText at={delivery.createdAt} format="time" />
          Created
        </li>
        {sent.map((each) => (
          <AttemptItem key={`${each.number} ${each.at}`} attempt={each} />
        ))}
        {nextAttemptAt !== undefined && <NextAttempt at={nextAttemptAt} isFirst={delivery.attempts === 0} />}
        {state === 'held' && (
          <li data-tone="warn">
            Held until you release it. <a href={buildHref(`/events/held/${subscriptionId}`)}>Arrange and release held deliveries</a>
          </li>
        )}
      </ol>
      <div class="row">
        {subscription !== null && (
          <>
            <Action
              run={() => call('redeliver', { deliveryId: id })}
              done="The delivery is being sent again."
              icon="repeat"
              title="Makes the next attempt now. The retry schedule continues from that attempt."
              text={state === 'held' ? 'Send now' : 'Redeliver'}
            />
            <Action
              run={() => call('duplicateDelivery', { deliveryId: id })}
              done={({ status, error }) =>
                `The duplicate was sent. The receiver ${status === undefined ? `did not respond: ${error}` : `responded with ${status}.`}`
              }
              title="Sends another copy with the same webhook-id. The delivery's state and retry schedule do not change."
              text="Duplicate"
            />
          </>
        )}
        <ButtonLink href={buildHref('/events/signature', { delivery: id })} text="Check the signature" />
      </div>
    </>
  );
}

function AttemptItem({ attempt: { number, at, status, error, durationMs } }: { attempt: Delivery['attemptLog'][number] }) {
  const isGood = status !== undefined && status < 300 && error === undefined;
  return (
    <li data-tone={isGood ? 'good' : 'bad'}>
      <TimeText at={at} format="time" />
      <strong>{number === 0 ? 'Duplicate' : `Attempt ${number}`}</strong> <Status status={status} />{' '}
      <span class="muted">in {durationMs} ms</span>
      {error !== undefined && <p class="field-error">{error}</p>}
    </li>
  );
}

function NextAttempt({ at, isFirst }: { at: string; isFirst: boolean }) {
  const wait = Math.max(0, Date.parse(at) - kitNow.value);
  return (
    <li data-tone="info">
      <TimeText at={at} format="time" />
      <strong>{isFirst ? 'First attempt' : 'Next attempt'}</strong> {wait > 0 ? `in ${formatDuration(wait)} of kit time` : 'is due now'}
      {wait > 0 && (
        <p>
          <Action
            // Kit time also runs during the request, so the clock ends slightly after the attempt.
            run={() => call('advanceClock', { by: Math.ceil(wait) })}
            done={({ attempts: { length } }) => `The clock has moved. ${length} ${length === 1 ? 'attempt was' : 'attempts were'} made.`}
            class="primary"
            icon="forward"
            text="Advance the clock to this attempt"
          />
        </p>
      )}
    </li>
  );
}
