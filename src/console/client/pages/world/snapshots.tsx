import { useState } from 'preact/hooks';
import { control, dataOf, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { SchemaField } from '../../ui/schema-field.tsx';
import { TimeText } from '../../ui/time.tsx';
import { attempt, toast } from '../../ui/toast.tsx';
import { changes } from './model.ts';
import { askToReplace } from './replaced.tsx';

/** The saved states, and a form to save another one. */
export function Snapshots() {
  const snapshots = useResource(() => dataOf(control.GET('/_control/snapshots')), [changes.value]);
  return (
    <Section title="Snapshots" lead="A snapshot has the whole state: entities, clock, events and deliveries. Saving again replaces it.">
      <Save onSaved={() => void snapshots.reload()} />
      <Loaded from={snapshots}>
        {(saved) =>
          saved.length === 0 ? (
            <Empty icon="repeat" title="No snapshot yet">
              <p>Save one before a change, and load it to try the change again.</p>
            </Empty>
          ) : (
            <ul class="rows">
              {saved.map((snapshot) => (
                <SnapshotRow key={snapshot.name} {...snapshot} onDeleted={() => void snapshots.reload()} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function Save({ onSaved }: { onSaved: () => void }) {
  const [name, setName] = useState<unknown>();
  const [error, setError] = useState<string>();
  async function save(): Promise<void> {
    try {
      if (name === undefined) throw new Error('Enter a name, such as before-checkout.');
      await dataOf(control.PUT('/_control/snapshots/{name}', { params: { path: { name: String(name) } } }));
      toast(`The snapshot ${name} was saved.`);
      setError(undefined);
      setName(undefined);
      onSaved();
    } catch (failure) {
      setError((failure as Error).message);
    }
  }
  return (
    <form
      class="inline-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <SchemaField
        label="Name of the snapshot"
        field={{ type: 'string' }}
        value={name}
        onChange={setName}
        pointer="/name"
        errors={new Map(error === undefined ? [] : [['/name', error]])}
      />
      <button type="submit" class="primary">
        Save
      </button>
    </form>
  );
}

function SnapshotRow({ name, savedAt, world, onDeleted }: Schemas['Snapshot'] & { onDeleted: () => void }) {
  const remove = async () => {
    await dataOf(control.DELETE('/_control/snapshots/{name}', { params: { path: { name } } }));
    onDeleted();
  };
  return (
    <li>
      <div>
        <b>{name}</b>
        <small>
          {world}, <TimeText ms={Date.parse(savedAt)} />
        </small>
      </div>
      <button
        type="button"
        aria-label={`Load the snapshot ${name}`}
        onClick={() =>
          askToReplace({
            title: `Load the snapshot ${name}?`,
            action: 'Load',
            text: 'All entities, events and deliveries and the clock become those of the snapshot. Faults are removed, and the journal is emptied.',
            replace: () => dataOf(control.POST('/_control/reset', { body: { to: name } })),
          })
        }
      >
        Load
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Delete the snapshot ${name}`}
        onClick={() => void attempt(remove, `The snapshot ${name} was deleted.`)}
      >
        <Icon name="bin" />
      </button>
    </li>
  );
}
