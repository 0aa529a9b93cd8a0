import { useEffect } from 'preact/hooks';
import { control, dataOf, type Schemas } from '../../kit/control.ts';
import { paced } from '../../kit/pace.ts';
import { useResource } from '../../kit/resource.ts';
import { faults, refreshKit } from '../../kit/state.ts';
import { onMessage } from '../../kit/stream.ts';
import { Badge } from '../../ui/badge.tsx';
import { hrefOf } from '../../ui/href.ts';
import { Empty, Section, Skeleton } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { attempt } from '../../ui/toast.tsx';

type Fault = Schemas['Fault'];

/** The faults in force, and how many requests each has hit. */
export function FaultList() {
  const operations = useResource(() => dataOf(control.GET('/_control/operations')));
  useEffect(refreshAfterRequests, []);
  const remove = ({ id }: Fault) =>
    attempt(async () => {
      await dataOf(control.DELETE('/_control/faults/{faultId}', { params: { path: { faultId: id } } }));
      await refreshKit();
    }, `The fault ${id} was removed.`);
  const removeAll = () =>
    attempt(async () => {
      await dataOf(control.DELETE('/_control/faults'));
      await refreshKit();
    }, 'All faults were removed.');
  const list = faults.value;
  return (
    <Section
      title="Faults in force"
      actions={
        (list?.length ?? 0) > 0 && (
          <button type="button" class="danger" onClick={() => void removeAll()}>
            Remove all
          </button>
        )
      }
    >
      {list === undefined ? (
        <Skeleton lines={3} />
      ) : list.length === 0 ? (
        <Empty icon="events" title="No faults">
          <p>The kit answers as documented. Add a fault below to see how your application copes.</p>
        </Empty>
      ) : (
        <Table columns={['Fault', 'Requests', 'Details', { name: 'Hits', is: 'right' }, { name: 'Action', is: 'hidden' }]}>
          {list.map((fault) => (
            <tr key={fault.id}>
              <td>
                {nameOf(fault)} {!isDocumented(fault, operations.data) && <Badge tone="warn">undocumented</Badge>}
                <small>{fault.id}</small>
              </td>
              <td>
                {fault.operation ?? 'every matching operation'}
                {fault.match && (
                  <small>
                    {Object.entries(fault.match)
                      .map(([name, value]) => `${name} = ${value}`)
                      .join(', ')}
                  </small>
                )}
              </td>
              <td>{detailsOf(fault) || '–'}</td>
              <td class="right">
                <a href={hrefOf('/requests', { operation: fault.operation, ...(statusOf(fault) && { status: statusOf(fault) }) })}>
                  {fault.hits}
                </a>
                {fault.times !== undefined && ` of ${fault.times}`}
              </td>
              <td class="right">
                <button type="button" class="danger" onClick={() => void remove(fault)} aria-label={`Remove ${fault.id}`}>
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

/** The counts change with each request that a fault hits. */
function refreshAfterRequests(): () => void {
  const refresh = paced(() => refreshKit().catch(() => {}));
  const end = onMessage('journal', () => {
    if ((faults.value?.length ?? 0) > 0) refresh.soon();
  });
  return () => {
    refresh.stop();
    end();
  };
}

const statusOf = ({ fault, status }: Fault): string | undefined => (fault === 'authorization-service-down' ? '503' : status?.toString());

function nameOf({ fault, status, rule, latencyMs, latencyMaxMs }: Fault): string {
  const wait = latencyMaxMs === undefined ? `${latencyMs} ms` : `${latencyMs} to ${latencyMaxMs} ms`;
  return [fault, rule ?? status ?? (fault === 'latency' ? wait : undefined)].filter((part) => part !== undefined).join(' ');
}

function detailsOf({ probability, after, times, seed }: Fault): string {
  return [
    probability !== undefined && `${Math.round(probability * 100)} % of the requests`,
    after !== undefined && after > 0 && `after ${after} requests`,
    times !== undefined && `at most ${times} times`,
    seed !== undefined && `seed ${seed}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Whether the specification documents the response for the operation. Latencies and lost connections are always possible. */
function isDocumented(fault: Fault, operations: readonly Schemas['ServiceOperation'][] | undefined): boolean {
  const status = Number(statusOf(fault));
  if (!fault.undocumented || Number.isNaN(status) || operations === undefined) return true;
  const affected = operations.filter(({ operationId }) => fault.operation === undefined || operationId === fault.operation);
  return affected.every(({ statuses }) =>
    statuses.some((documented) => documented === status || documented === `${Math.trunc(status / 100)}XX`),
  );
}
