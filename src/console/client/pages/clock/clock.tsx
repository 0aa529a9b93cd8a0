import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { clock, kitNow } from '../../kit/state.ts';
import { Action } from '../../ui/button.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { buildHref, EmptyNote, Loaded, Page, Part, Section } from '../../ui/page.tsx';
import { finishOperation } from '../../ui/toast.ts';
import { formatDuration, formatOffset, Named, nameIds, StateBadge, TimeText } from '../../ui/values.tsx';
import { CustomFault, Faults } from './faults.tsx';

export default function ClockAndFaults() {
  return (
    <Page title="Clock & faults" lead="Advance kit time instead of waiting, and make operations fail as the real service might.">
      <div class="cards">
        <AdvanceClock />
        <Faults />
      </div>
      <CustomFault />
    </Page>
  );
}

type Delivery = Schemas['Delivery'];

const CLOCK_STEPS = ['1m', '10m', '1h', '1d'];
const DURATION = { type: 'string', description: 'Numbers with the units d, h, m and s.' } as const;
const MAX_DELIVERIES = 1000;
const REFRESH_MS = 5000;

function AdvanceClock() {
  const due = useResource(() => call('listDeliveries', { order: 'due-first', limit: MAX_DELIVERIES }), [], { everyMs: REFRESH_MS });
  const advance = async (by: string | number) => finishOperation(await call('advanceClock', { by }), describeResult);
  /** Kit time also runs during the request, so the clock ends slightly after `instant`. */
  const advanceTo = (instant: string) => advance(Math.max(0, Math.ceil(Date.parse(instant) - kitNow.value)));
  const [next] = due.data ?? [];
  return (
    <Section title="Clock">
      <p class="row facts clock-face">
        <TimeText at={kitNow.value} />
        <small>{clock.value ? formatOffset(clock.value.offsetMs) : ' '}</small>
      </p>
      <div class="row">
        <span class="muted text-2">Advance by</span>
        {CLOCK_STEPS.map((by) => (
          <Action key={by} run={() => advance(by)} text={by} />
        ))}
        <Action
          class="primary"
          isDisabled={next === undefined}
          run={() => advanceTo(next?.nextAttemptAt ?? '')}
          text="To the next delivery"
        />
      </div>
      <OperationForm
        operation="advanceClock"
        layout="inline"
        first={['by']}
        describe={() => ({ label: 'Another duration', placeholder: 'such as 2h30m', field: DURATION })}
        action="Advance"
        done={describeResult}
      />
      <Part title="Due next">
        <Loaded
          from={due}
          empty={
            <EmptyNote
              title="Nothing is due"
              lead="No delivery is waiting for an attempt. If a receiver fails, the time of the next attempt appears here."
            />
          }
        >
          {(deliveries) => <DueDeliveries deliveries={deliveries} advanceTo={advanceTo} />}
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

/** A line for each subscription, such as "20 attempts to acme, first in 4m". */
function DueDeliveries({ deliveries, advanceTo }: { deliveries: readonly Delivery[]; advanceTo: (instant: string) => Promise<void> }) {
  const groups = [...Map.groupBy(deliveries, ({ subscription }) => subscription ?? 'a deleted subscription')];
  return (
    <ul class="lines">
      {groups.map(([alias, due]) => {
        const { nextAttemptAt = '' } = due[0] ?? {};
        const wait = Date.parse(nextAttemptAt) - kitNow.value;
        const failing = due.filter(({ attempts }) => attempts > 0).length;
        const count = due.length === MAX_DELIVERIES ? `${MAX_DELIVERIES} or more` : due.length;
        return (
          <li key={alias} class="row between">
            <span>
              <a href={buildHref('/events', { subscription: alias, state: 'pending' })}>
                {count} {due.length === 1 ? 'attempt' : 'attempts'} to <Named text={alias} />
              </a>
              , {due.length === 1 ? '' : 'first '}
              {wait > 0 ? `in ${formatDuration(wait)}` : 'now'} {failing > 0 && <StateBadge state="failing">{failing} failing</StateBadge>}
            </span>
            <Action run={() => advanceTo(nextAttemptAt)} label={`Advance to the next attempt to ${nameIds(alias)}`} text="Advance" />
          </li>
        );
      })}
    </ul>
  );
}
