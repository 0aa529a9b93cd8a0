import { useEffect } from 'preact/hooks';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { paceWork } from '../../kit/pace.ts';
import { useResource } from '../../kit/resource.ts';
import { faults, refreshKit } from '../../kit/state.ts';
import { onMessage } from '../../kit/stream.ts';
import { Badge } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { EmptyNote, Section, Skeleton } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { runAction } from '../../ui/toast.tsx';

type Fault = Schemas['Fault'];

export function FaultList() {
  const operations = useResource(() => getResponseData(control.GET('/_control/operations')));
  useEffect(refreshAfterRequests, []);
  const removeFault = ({ id }: Fault) =>
    runAction(async () => {
      await getResponseData(control.DELETE('/_control/faults/{faultId}', { params: { path: { faultId: id } } }));
      await refreshKit();
    }, `The fault ${id} was removed.`);
  const removeAll = () =>
    runAction(async () => {
      await getResponseData(control.DELETE('/_control/faults'));
      await refreshKit();
    }, 'All faults were removed.');
  const list = faults.value;
  return (
    <Section
      title="Active faults"
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
        <EmptyNote icon="events" title="No faults">
          <p>The kit answers as documented. Add a fault below to see how your application copes.</p>
        </EmptyNote>
      ) : (
        <Table columns={['Fault', 'Requests', 'Details', { name: 'Hits', is: 'right' }, { name: 'Action', is: 'hidden' }]}>
          {list.map((fault) => (
            <tr key={fault.id}>
              <td>
                {formatFaultName(fault)} {!isDocumented(fault, operations.data) && <Badge tone="warn">undocumented</Badge>}
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
              <td>{formatDetails(fault) || '–'}</td>
              <td class="right">
                <a href={buildHref('/requests', { operation: fault.operation, ...(getStatus(fault) && { status: getStatus(fault) }) })}>
                  {fault.hits}
                </a>
                {fault.times !== undefined && ` of ${fault.times}`}
              </td>
              <td class="right">
                <button type="button" class="danger" onClick={() => void removeFault(fault)} aria-label={`Remove ${fault.id}`}>
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

/** Loads the faults again after new requests, because each request may increase a fault's number of hits. */
function refreshAfterRequests(): () => void {
  const refresh = paceWork(() => refreshKit().catch(() => {}));
  const end = onMessage('journal', () => {
    if ((faults.value?.length ?? 0) > 0) refresh.soon();
  });
  return () => {
    refresh.stop();
    end();
  };
}

const getStatus = ({ fault, status }: Fault): string | undefined => (fault === 'authorization-service-down' ? '503' : status?.toString());

function formatFaultName({ fault, status, rule, latencyMs, latencyMaxMs }: Fault): string {
  const wait = latencyMaxMs === undefined ? `${latencyMs} ms` : `${latencyMs} to ${latencyMaxMs} ms`;
  return [fault, rule ?? status ?? (fault === 'latency' ? wait : undefined)].filter((part) => part !== undefined).join(' ');
}

function formatDetails({ probability, after, times, seed }: Fault): string {
  return [
    probability !== undefined && `${Math.round(probability * 100)} % of the requests`,
    after !== undefined && after > 0 && `after ${after} requests`,
    times !== undefined && `at most ${times} times`,
    seed !== undefined && `seed ${seed}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function isDocumented(fault: Fault, operations: readonly Schemas['ServiceOperation'][] | undefined): boolean {
  const status = Number(getStatus(fault));
  if (!fault.undocumented || Number.isNaN(status) || operations === undefined) return true;
  const affected = operations.filter(({ operationId }) => fault.operation === undefined || operationId === fault.operation);
  return affected.every(({ statuses }) =>
    statuses.some((documented) => documented === status || documented === `${Math.trunc(status / 100)}XX`),
  );
}
