import { call, type Schemas } from '../../kit/control.ts';
import { faults } from '../../kit/state.ts';
import { createStoredSignal } from '../../kit/storage.ts';
import { Action, Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { Part } from '../../ui/page.tsx';

const sets = createStoredSignal<Readonly<Record<string, readonly Schemas['FaultRequest'][]>>>('xpk-console-fault-sets', {});

function removeSet(name: string): void {
  const { [name]: _, ...others } = sets.value;
  sets.value = others;
}

/** Named sets of faults, kept in this browser. */
export function FaultSets() {
  const current = faults.value ?? [];
  const names = Object.keys(sets.value);
  if (current.length === 0 && names.length === 0) return null;
  const addSet = async (name: string) => {
    for (const fault of sets.value[name] ?? []) await call('addFault', fault);
  };
  return (
    <Part title="Saved sets, in this browser">
      {names.length > 0 && (
        <ul class="lines">
          {names.map((name) => (
            <li key={name} class="row nowrap">
              <span class="fill">
                <b>{name}</b>{' '}
                <small>{sets.value[name]?.map(({ fault, operation }) => [fault, operation].filter(Boolean).join(' ')).join(', ')}</small>
              </span>
              <Action label={`Add the faults of ${name}`} run={() => addSet(name)} done={`The faults of ${name} are active.`}>
                Add
              </Action>
              <Button class="quiet" icon="bin" label={`Delete the set ${name}`} onClick={() => removeSet(name)} />
            </li>
          ))}
        </ul>
      )}
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
