import { useState } from 'preact/hooks';
import { call, type Operation, type Schemas } from '../../kit/control.ts';
import { faults } from '../../kit/state.ts';
import { createStoredSignal } from '../../kit/storage.ts';
import { Action, Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { ChoiceInput } from '../../ui/inputs.tsx';
import { LoadedLines, Part } from '../../ui/page.tsx';

type FaultRequest = Schemas['FaultRequest'];

const SLOW_MS = 3000;
const UNAVAILABLE = { fault: 'problem', status: 503 } as const;

export const PRESETS: Readonly<Record<string, { readonly title: string; readonly fault: FaultRequest }>> = {
  Slow: { title: 'Every response takes 3 seconds', fault: { fault: 'latency', latencyMs: SLOW_MS } },
  Flaky: { title: 'A third of the responses is 503', fault: { ...UNAVAILABLE, probability: 0.33 } },
  Down: { title: 'Every response is 503', fault: UNAVAILABLE },
  'Rate limited': { title: 'Every response is 429', fault: { fault: 'problem', status: 429 } },
  Expired: { title: 'Every response is 401, because the token has expired', fault: { fault: 'problem', rule: 'auth.token.expired' } },
};

export const listOptions = (operations: readonly Operation[]) =>
  operations.map(({ operationId, method, path }) => [operationId, `${operationId} – ${method} ${path}`] as const);

export const documents = ({ statuses }: Operation, status: unknown): boolean => statuses.includes(status as number);

/** @param operation by default, every operation */
export async function addPreset({ status, ...fault }: FaultRequest, operation?: string) {
  const affected = (await call('listOperations')).filter(({ operationId }) => operation === undefined || operationId === operation);
  const isUndocumented = status !== undefined && !affected.every((each) => documents(each, status));
  return call('addFault', { ...fault, operation, ...(status !== undefined && { status, undocumented: isUndocumented }) });
}

export function FaultPresets({ operations }: { operations: readonly Operation[] }) {
  const [operation, setOperation] = useState<string>();
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
          <Action key={name} title={title} run={() => addPreset(fault, operation)} done={`${name}: ${target}.`} text={name} />
        ))}
      </div>
    </div>
  );
}

const sets = createStoredSignal<Readonly<Record<string, readonly Schemas['FaultRequest'][]>>>('xpk-console-fault-sets', {});

function removeSet(name: string): void {
  const { [name]: _, ...others } = sets.value;
  sets.value = others;
}

export function FaultSets() {
  const current = faults.value ?? [];
  const names = Object.keys(sets.value);
  if (current.length === 0 && names.length === 0) return null;
  const addSet = async (name: string) => {
    for (const fault of sets.value[name] ?? []) await call('addFault', fault);
  };
  return (
    <Part title="Saved sets, in this browser">
      <LoadedLines
        from={{ data: names, error: undefined }}
        empty={null}
        line={(name) => ({
          title: <b>{name}</b>,
          lead: sets.value[name]?.map(({ fault, operation }) => [fault, operation].filter(Boolean).join(' ')).join(', '),
          actions: (
            <>
              <Action label={`Add the faults of ${name}`} run={() => addSet(name)} done={`The faults of ${name} are active.`} text="Add" />
              <Button class="quiet" icon="bin" label={`Delete the set ${name}`} onClick={() => removeSet(name)} />
            </>
          ),
        })}
      />
      {current.length > 0 && (
        <Form
          key={names.length}
          layout="inline"
          fields={{ name: { type: 'string' } }}
          required={['name']}
          describe={() => ({ label: 'Save the active faults as', placeholder: 'such as bad-day' })}
          action="Save"
          onSubmit={async ({ name }) => {
            sets.value = { ...sets.value, [String(name)]: current.map(({ id: _, hits: __, ...fault }) => fault) };
          }}
        />
      )}
    </Part>
  );
}
