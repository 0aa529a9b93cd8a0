import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { controlTable } from '../../../../contract/generated/control-table.ts';
import type { ControlOperationId } from '../../../../control-client/call.ts';
import { Json } from '../../ui/code.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { ChoiceInput } from '../../ui/inputs.tsx';
import { buildHref, NotFound, Page, type PageProps, Section } from '../../ui/page.tsx';
import { Method } from '../../ui/values.tsx';

/** The operations that cannot be called on this page, with the reasons. */
const REASONS: Readonly<Partial<Record<ControlOperationId, string>>> = {
  streamEverything: 'This response does not end. The console follows it to show changes as they happen.',
  listen: 'This response does not end. xpk listen follows it to pass deliveries to a local endpoint.',
};

export default function Operations({ params: { operation } = {} }: PageProps) {
  const { route } = useLocation();
  if (operation !== undefined && !Object.hasOwn(controlTable, operation)) return <NotFound />;
  return (
    <Page title="Control API" lead="Call any operation of the control API. Scripts can send the same requests.">
      <div class="row wide filters">
        <ChoiceInput
          label="Operation"
          isRequired
          value={operation}
          options={Object.entries(controlTable).map(([id, { method, path }]) => [id, `${id} – ${method.toUpperCase()} ${path}`])}
          onChange={(id) => route(buildHref(`/operations/${id ?? ''}`))}
        />
      </div>
      {operation !== undefined && <OperationCall key={operation} id={operation as ControlOperationId} />}
    </Page>
  );
}

function OperationCall({ id }: { id: ControlOperationId }) {
  const [result, setResult] = useState<{ readonly value: unknown }>();
  const { method, path, summary } = controlTable[id];
  const title = (
    <>
      <Method method={method.toUpperCase()} /> <span class="mono">{path}</span>
    </>
  );
  return (
    <div class="cards">
      <Section title={title} lead={summary}>
        {REASONS[id] ?? <OperationForm operation={id} action="Send" onDone={(value) => setResult({ value })} />}
      </Section>
      <Section title="Response">
        <div role="status">
          {result === undefined && <p class="muted">The response appears here.</p>}
          {result && (result.value === undefined || result.value === '') && <p>Done. The response has no body.</p>}
          {result?.value !== undefined && result.value !== '' && <Json value={result.value} label="response" />}
        </div>
      </Section>
    </div>
  );
}
