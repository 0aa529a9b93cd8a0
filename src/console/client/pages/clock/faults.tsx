import { call, type Operation, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { faults, isActive, refreshKit } from '../../kit/state.ts';
import { Action } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { type Members, OperationForm } from '../../ui/form.tsx';
import { buildHref, EmptyNote, LoadedLines, LoadedSection, Section } from '../../ui/page.tsx';
import { Badge, Named } from '../../ui/values.tsx';
import { documents, FaultPresets, FaultSets, listOptions } from './presets.tsx';

type Fault = Schemas['Fault'];

const useOperations = () => useResource(() => call('listOperations'));

export function Faults() {
  const operations = useOperations();
  // Each request may increase a fault's number of hits.
  useResource(refreshKit, [], { on: ['journal'] });
  return (
    <Section
      title="Faults"
      actions={
        (faults.value ?? []).length > 0 && (
          <ConfirmButton
            class="danger"
            text="Remove all"
            title="Remove all faults?"
            warning="This cannot be undone. To add them again, save them as a set first."
            run={() => call('clearFaults')}
            done="All faults were removed."
          />
        )
      }
    >
      <FaultPresets operations={operations.data ?? []} />
      <LoadedLines
        from={{ data: faults.value, error: undefined }}
        empty={<EmptyNote title="No faults" lead="The kit answers as documented. Add a fault to see how your application copes." />}
        line={describeFault}
      />
      <FaultSets />
    </Section>
  );
}

export function CustomFault() {
  const operations = useOperations();
  return (
    <LoadedSection
      from={operations}
      title="Another fault"
      lead="For a problem, choose a rule or a status. A status that the specification does not list for the operation is undocumented; a gateway in front of the service may send it."
    >
      {(all) => <FaultForm operations={all} initial={{ fault: 'problem' }} />}
    </LoadedSection>
  );
}

/** The fields that only some faults have. */
const FAULTS_BY_FIELD: Readonly<Record<string, readonly Fault['fault'][]>> = {
  rule: ['problem'],
  status: ['problem', 'response'],
  undocumented: ['problem', 'response'],
  headers: ['problem', 'response'],
  body: ['response'],
  latencyMs: ['latency', 'slow-response'],
  latencyMaxMs: ['latency', 'slow-response'],
};

interface FaultFormProps {
  readonly operations: readonly Operation[];
  readonly initial: Members;
  readonly onClose?: () => void;
}

/** With an initial value for `like`, that request determines which requests the fault affects. */
export function FaultForm({ operations, initial, onClose }: FaultFormProps) {
  function describe(name: string, { fault, operation, rule, status }: Members) {
    if (name === 'like' || (initial.like !== undefined && ['operation', 'match'].includes(name))) return { isHidden: true };
    if (FAULTS_BY_FIELD[name]?.includes(fault as Fault['fault']) === false) return { isHidden: true };
    const affected = operations.filter(({ operationId }) => operation === undefined || operationId === operation);
    const refusals = affected.flatMap(({ refusals: all }) => all);
    if (name === 'operation') return { placeholder: 'Every operation', options: listOptions(operations) };
    if (name === 'rule') {
      const description = refusals.find((refusal) => refusal.rule === rule)?.text;
      return {
        placeholder: 'None',
        options: refusals.map((refusal) => [refusal.rule, `${refusal.status} ${refusal.rule}`] as const),
        ...(description && { field: { description } }),
      };
    }
    if (name === 'undocumented') return { isHidden: status === undefined || affected.every((each) => documents(each, status)) };
    const statuses = [...new Set(affected.flatMap(({ statuses: all }) => all))].map(String).sort();
    return name === 'status' ? { suggestions: async () => statuses.filter((status) => Number(status) >= 400) } : {};
  }
  return (
    <OperationForm
      operation="addFault"
      layout="columns"
      first={['operation', 'fault', 'rule', 'status', 'headers', 'body', 'latencyMs', 'times', 'after', 'probability', 'undocumented']}
      initial={initial}
      describe={describe}
      action="Add the fault"
      onClose={onClose}
      done={(fault) => `The fault ${formatFaultName(fault)} is active for ${fault.operation ?? 'every operation'}.`}
    />
  );
}

function describeFault(fault: Fault) {
  const { id, operation, match = {}, hits, times } = fault;
  const values = Object.entries(match).map(([name, value]) => `${name} = ${value}`);
  return {
    title: [
      <b key="name">{formatFaultName(fault)}</b>,
      ' ',
      fault.undocumented && <Badge tone="warn">undocumented</Badge>,
      !isActive(fault) && <Badge>used up</Badge>,
    ],
    lead: <Named text={[operation ?? 'every operation', ...values, ...listDetails(fault), id].join(' · ')} />,
    actions: (
      <>
        <a class="num one-line" href={buildHref('/requests', { operation, status: getStatus(fault) })}>
          {hits}
          {times !== undefined && ` of ${times}`} {hits === 1 ? 'hit' : 'hits'}
        </a>
        <Action
          class="danger"
          label={`Remove ${id}`}
          run={() => call('removeFault', { faultId: id })}
          done={`The fault ${formatFaultName(fault)} was removed.`}
          text="Remove"
        />
      </>
    ),
  };
}

const getStatus = ({ fault, status }: Fault): string | undefined => (fault === 'authorization-service-down' ? '503' : status?.toString());

function formatFaultName({ fault, status, rule, latencyMs, latencyMaxMs }: Fault): string {
  const wait = latencyMaxMs === undefined ? `${latencyMs} ms` : `${latencyMs} to ${latencyMaxMs} ms`;
  return [fault, rule ?? status ?? (['latency', 'slow-response'].includes(fault) ? wait : undefined)]
    .filter((part) => part !== undefined)
    .join(' ');
}

const listDetails = ({ probability, after = 0, seed }: Fault): readonly string[] => [
  ...(probability === undefined ? [] : [`${Math.round(probability * 100)} % of the requests`]),
  ...(after === 0 ? [] : [`after ${after} requests`]),
  ...(seed === undefined ? [] : [`seed ${seed}`]),
];
