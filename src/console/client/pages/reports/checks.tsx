import { type ControlField, controlTable } from '../../../../contract/generated/control-table.ts';
import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { capitalize } from '../../ui/inputs.tsx';
import { buildHref, EmptyNote, LoadedLines, Section } from '../../ui/page.tsx';
import { StateBadge, TimeText } from '../../ui/values.tsx';

type Check = Schemas['Check'];

const KINDS: Readonly<Record<Check['check'], string>> = { webhook: 'webhook endpoint', client: 'calls of a client' };

function describeCheck({ id, check, target, state, progress, reasons = [], startedAt }: Check) {
  const hasReport = state !== 'running' && state !== 'error';
  return {
    title: [hasReport ? <a href={buildHref(`/reports/report/${id}`)}>{target}</a> : target, ' ', <StateBadge key="state" state={state} />],
    lead: [KINDS[check], ', ', <TimeText key="at" at={startedAt} />, ' ', state === 'running' ? progress : reasons.join(' ')],
    actions: state === 'running' && (
      <Action run={() => call('stopCheck', { checkId: id })} done="The check stops after its current scenario." text="Stop" />
    ),
  };
}

export function Checks() {
  const checks = useResource(() => call('listChecks'), [], { on: ['check'] });
  return (
    <>
      <Section title="Checks in this kit">
        <LoadedLines
          from={checks}
          empty={<EmptyNote title="No checks yet" lead="Start a check below, or with POST /_control/checks." />}
          line={describeCheck}
        />
      </Section>
      <Section title="Check a webhook endpoint" lead="The check changes the world, and removes its own entities at the end.">
        <CheckForm check="webhook" first={['url', 'stateUrl', 'rules']} />
      </Section>
      <Section title="Check the calls of a client" lead="The check judges the requests in the journal, and writes a report.">
        <CheckForm check="client" first={['since', 'wholeLists', 'oneSession']} />
      </Section>
    </>
  );
}

/** A description begins with the name of a check if the other check does not have the field. */
const FIELDS: Readonly<Record<string, ControlField>> = controlTable.startCheck.fields;

function CheckForm({ check, first }: { check: Check['check']; first: readonly string[] }) {
  const other = check === 'webhook' ? 'client' : 'webhook';
  return (
    <OperationForm
      operation="startCheck"
      layout="columns"
      fixed={{ check }}
      first={first}
      describe={(name) => {
        const { description = '', ...field } = FIELDS[name] ?? {};
        const [text = '', end] = description.replace(`${check}: `, '').split(/ (?=Required\.$)/);
        return {
          isHidden: description.startsWith(`${other}: `),
          isRequired: end !== undefined,
          field: { ...field, description: capitalize(text) },
        };
      }}
      action={`Check the ${check === 'webhook' ? 'endpoint' : 'calls'}`}
    />
  );
}
