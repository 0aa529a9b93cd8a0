import { useState } from 'preact/hooks';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { clock, kitNow, refreshKit } from '../../kit/state.ts';
import { DeliveryStateBadge } from '../../ui/badge.tsx';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { formatDuration, formatOffset, TimeText } from '../../ui/time.tsx';
import { runAction } from '../../ui/toast.tsx';

const CLOCK_STEPS = ['1m', '10m', '1h', '1d'];
const MAX_DELIVERIES_SHOWN = 20;
const REFRESH_MS = 5000;

export function AdvanceClock() {
  const [isBusy, setBusy] = useState(false);
  const due = useResource(
    () => getResponseData(control.GET('/_control/deliveries', { params: { query: { order: 'due-first', limit: MAX_DELIVERIES_SHOWN } } })),
    [],
    REFRESH_MS,
  );
  async function advance(by: string | number) {
    if (isBusy) return;
    setBusy(true);
    await runAction(() => getResponseData(control.POST('/_control/clock/advance', { body: { by } })), describeResult);
    await Promise.all([refreshKit().catch(() => {}), due.reload()]);
    setBusy(false);
  }
  /** Kit time also runs during the request, so the clock ends slightly after `instant`. */
  const advanceTo = (instant: string) => void advance(Math.max(0, Math.ceil(Date.parse(instant) - kitNow.value)));
  const [next] = due.data ?? [];
  return (
    <Section title="Clock" class="clock">
      <p class="clock-face">
        <TimeText ms={kitNow.value} />
        <small>{clock.value ? formatOffset(clock.value.offsetMs) : ' '}</small>
      </p>
      <form
        class="advance"
        onSubmit={(event) => {
          event.preventDefault();
          void advance(String(new FormData(event.currentTarget).get('by')).trim());
        }}
      >
        <fieldset>
          <legend>Advance by</legend>
          {CLOCK_STEPS.map((by) => (
            <button key={by} type="button" aria-disabled={isBusy} onClick={() => void advance(by)}>
              {by}
            </button>
          ))}
          <input name="by" required aria-label="Another duration" placeholder="such as 2h30m" />
          <button type="submit" aria-disabled={isBusy}>
            Advance
          </button>
          <button
            type="button"
            class="primary"
            aria-disabled={isBusy || next === undefined}
            onClick={() => next?.nextAttemptAt && advanceTo(next.nextAttemptAt)}
          >
            To the next delivery
          </button>
        </fieldset>
      </form>
      <h3>Due next</h3>
      <Loaded from={due} lines={2}>
        {(deliveries) =>
          deliveries.length === 0 ? <NoDueDeliveries /> : <DueDeliveries deliveries={deliveries} isBusy={isBusy} onAdvance={advanceTo} />
        }
      </Loaded>
    </Section>
  );
}

function describeResult({ attempts, pending, settled }: Schemas['Advanced']): string {
  const made =
    attempts.length === 0 ? 'No delivery was due.' : `${attempts.length} ${attempts.length === 1 ? 'attempt was' : 'attempts were'} made.`;
  return `The clock has moved. ${made}${pending > 0 ? ` Pending: ${pending}.` : ''}${settled ? '' : ' Some attempts are still under way.'}`;
}

const NoDueDeliveries = () => (
  <EmptyNote icon="clock" title="Nothing is due">
    <p>No delivery is waiting for an attempt. If a receiver fails, the time of the next attempt appears here.</p>
  </EmptyNote>
);

interface DueDeliveriesProps {
  readonly deliveries: readonly Schemas['Delivery'][];
  readonly isBusy: boolean;
  readonly onAdvance: (instant: string) => void;
}

function DueDeliveries({ deliveries, isBusy, onAdvance }: DueDeliveriesProps) {
  return (
    <Table columns={['Next attempt', 'Delivery', 'Subscription', { name: 'Attempts', is: 'right' }, { name: 'Action', is: 'hidden' }]}>
      {deliveries.map(({ id, type, subscription, state, attempts, nextAttemptAt = '' }) => {
        const inMs = Date.parse(nextAttemptAt) - kitNow.value;
        return (
          <tr key={id}>
            <td class="num">
              {inMs > 0 ? `in ${formatDuration(inMs)}` : 'now'}
              <small>
                <TimeText ms={Date.parse(nextAttemptAt)} />
              </small>
            </td>
            <td>
              {type} <DeliveryStateBadge state={state} />
            </td>
            <td>{subscription ?? 'deleted'}</td>
            <td class="right">{attempts}</td>
            <td class="right">
              <button type="button" aria-disabled={isBusy} onClick={() => onAdvance(nextAttemptAt)}>
                Advance to this attempt
              </button>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
