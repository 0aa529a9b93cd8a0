import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { clock, kitNow, refreshKit } from '../../kit/state.ts';
import { Action } from '../../ui/action.tsx';
import { DeliveryStateBadge } from '../../ui/badge.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { EmptyNote, Loaded, Page, Part, Section } from '../../ui/page.tsx';
import { type Column, Table, withNote } from '../../ui/table.tsx';
import { formatDuration, formatOffset, TimeText } from '../../ui/time.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Faults } from './faults.tsx';

export default function ClockAndFaults() {
  return (
    <Page title="Clock & faults" lead="Advance kit time instead of waiting, and make operations fail as the real service might.">
      <AdvanceClock />
      <Faults />
    </Page>
  );
}

type Delivery = Schemas['Delivery'];

const CLOCK_STEPS = ['1m', '10m', '1h', '1d'];
const MAX_DELIVERIES_SHOWN = 20;
const REFRESH_MS = 5000;

function AdvanceClock() {
  const due = useResource(() => call('listDeliveries', { order: 'due-first', limit: MAX_DELIVERIES_SHOWN }), [], REFRESH_MS);
  const report = async (advanced: Schemas['Advanced']) => {
    await Promise.all([refreshKit().catch(() => {}), due.reload()]);
    return describeResult(advanced);
  };
  const advance = async (by: string | number) => report(await call('advanceClock', { by }));
  /** Kit time also runs during the request, so the clock ends slightly after `instant`. */
  const advanceTo = (instant: string) => advance(Math.max(0, Math.ceil(Date.parse(instant) - kitNow.value)));
  const [next] = due.data ?? [];
  return (
    <Section title="Clock">
      <p class="row clock-face">
        <TimeText ms={kitNow.value} />
        <small>{clock.value ? formatOffset(clock.value.offsetMs) : ' '}</small>
      </p>
      <div class="row">
        <span class="muted text-2">Advance by</span>
        {CLOCK_STEPS.map((by) => (
          <Action key={by} run={() => advance(by)}>
            {by}
          </Action>
        ))}
        <Action class="primary" isDisabled={next === undefined} run={() => advanceTo(next?.nextAttemptAt ?? '')}>
          To the next delivery
        </Action>
      </div>
      <OperationForm
        operation="advanceClock"
        layout="inline"
        first={['by']}
        describe={() => ({ label: 'Another duration', placeholder: 'such as 2h30m', field: { type: 'string' } })}
        action="Advance"
        onDone={(advanced) => void report(advanced).then(showToast)}
      />
      <Part title="Due next">
        <Loaded
          from={due}
          lines={2}
          empty={
            <EmptyNote icon="clock" title="Nothing is due">
              No delivery is waiting for an attempt. If a receiver fails, the time of the next attempt appears here.
            </EmptyNote>
          }
        >
          {(deliveries) => <Table rows={deliveries} columns={listColumns(advanceTo)} />}
        </Loaded>
      </Part>
    </Section>
  );
}

function describeResult({ attempts, pending, settled }: Schemas['Advanced']): string {
  const made =
    attempts.length === 0 ? 'No delivery was due.' : `${attempts.length} ${attempts.length === 1 ? 'attempt was' : 'attempts were'} made.`;
  return `The clock has moved. ${made}${pending > 0 ? ` Pending: ${pending}.` : ''}${settled ? '' : ' Some attempts are still under way.'}`;
}

const listColumns = (advanceTo: (instant: string) => Promise<string>): readonly Column<Delivery>[] => [
  { name: 'Next attempt', class: 'num one-line', cell: ({ nextAttemptAt = '' }) => <DueTime ms={Date.parse(nextAttemptAt)} /> },
  {
    name: 'Delivery',
    cell: ({ type, state }) => [type, ' ', <DeliveryStateBadge key={state} state={state} />],
  },
  { name: 'Subscription', cell: ({ subscription }) => subscription ?? 'deleted' },
  { name: 'Attempts', class: 'right', cell: ({ attempts }) => attempts },
  {
    name: 'Action',
    class: 'right unnamed',
    cell: ({ nextAttemptAt = '' }) => <Action run={() => advanceTo(nextAttemptAt)}>Advance to this attempt</Action>,
  },
];

function DueTime({ ms }: { ms: number }) {
  const inMs = ms - kitNow.value;
  return withNote(inMs > 0 ? `in ${formatDuration(inMs)}` : 'now', <TimeText ms={ms} />);
}
