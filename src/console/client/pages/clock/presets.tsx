import { useState } from 'preact/hooks';
import { call, type Schemas } from '../../kit/control.ts';
import { Action } from '../../ui/button.tsx';
import { ChoiceInput } from '../../ui/inputs.tsx';

type Operation = Schemas['ServiceOperation'];
type FaultRequest = Schemas['FaultRequest'];

const SLOW_MS = 3000;
const UNAVAILABLE = { fault: 'problem', status: 503 } as const;

const PRESETS: Readonly<Record<string, { readonly title: string; readonly fault: FaultRequest }>> = {
  Slow: { title: 'Every response takes 3 seconds', fault: { fault: 'latency', latencyMs: SLOW_MS } },
  Flaky: { title: 'A third of the responses is 503', fault: { ...UNAVAILABLE, probability: 0.33 } },
  Down: { title: 'Every response is 503', fault: UNAVAILABLE },
  'Rate limited': { title: 'Every response is 429', fault: { fault: 'problem', status: 429 } },
  Expired: { title: 'Every response is 401, because the token has expired', fault: { fault: 'problem', rule: 'auth.token.expired' } },
};

export const listOptions = (operations: readonly Operation[]) =>
  operations.map(({ operationId, method, path }) => [operationId, `${operationId} – ${method} ${path}`] as const);

/** Buttons for the faults that most applications must cope with. */
export function FaultPresets({ operations }: { operations: readonly Operation[] }) {
  const [operation, setOperation] = useState<string>();
  const addFault = ({ status, ...fault }: FaultRequest) => {
    const affected = operations.filter(({ operationId }) => operation === undefined || operationId === operation);
    const isUndocumented = status !== undefined && !affected.every(({ statuses }) => statuses.includes(status));
    return call('addFault', { ...fault, operation, ...(status !== undefined && { status, undocumented: isUndocumented }) });
  };
  const target = operation ?? 'every operation';
  return (
    <div class="stack">
      <ChoiceInput
        label="Affects"
        placeholder="Every operation"
        options={listOptions(operations)}
        value={operation}
        onChange={(chosen) => setOperation(chosen as string | undefined)}
      />
      <div class="row">
        {Object.entries(PRESETS).map(([name, { title, fault }]) => (
          <Action key={name} title={title} run={() => addFault(fault)} done={`${name}: ${target}.`}>
            {name}
          </Action>
        ))}
      </div>
    </div>
  );
}
