import { signal } from '@preact/signals';
import { call, type Schemas } from '../../kit/control.ts';
import { faults, refreshKit } from '../../kit/state.ts';
import { Action } from '../../ui/action.tsx';
import { Form } from '../../ui/form.tsx';
import { Part } from '../../ui/page.tsx';

type FaultSets = Readonly<Record<string, readonly Schemas['FaultRequest'][]>>;

const STORAGE_KEY = 'xpk-console-fault-sets';
const sets = signal<FaultSets>(readSets());

function readSets(): FaultSets {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}');
  } catch {
    return {};
  }
}

function saveSets(next: FaultSets): void {
  sets.value = next;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
  } catch {
    // The browser forbids storage, so the sets last until the next reload.
  }
}

/** Named sets of faults, kept in this browser. */
export function FaultSets() {
  const current = faults.value ?? [];
  const names = Object.keys(sets.value);
  if (current.length === 0 && names.length === 0) return null;
  const addSet = async (name: string) => {
    for (const fault of sets.value[name] ?? []) await call('addFault', fault);
    await refreshKit();
    return `The faults of ${name} are active.`;
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
              <Action run={() => addSet(name)} label={`Add the faults of ${name}`}>
                Add
              </Action>
              <Action
                class="quiet"
                icon="bin"
                label={`Delete the set ${name}`}
                run={async () => {
                  const { [name]: _, ...others } = sets.value;
                  saveSets(others);
                  return undefined;
                }}
              />
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
          onSubmit={async ({ name }) => saveSets({ ...sets.value, [String(name)]: current.map(({ id: _, hits: __, ...fault }) => fault) })}
        />
      )}
    </Part>
  );
}
