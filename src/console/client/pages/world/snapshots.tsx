import { useState } from 'preact/hooks';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { SchemaField } from '../../ui/schema-field.tsx';
import { TimeText } from '../../ui/time.tsx';
import { runAction, showToast } from '../../ui/toast.tsx';
import { changeCount } from './model.ts';
import { askToReplace } from './replace-world.tsx';

export function Snapshots() {
  const snapshots = useResource(() => getResponseData(control.GET('/_control/snapshots')), [changeCount.value]);
  return (
    <Section
      title="Snapshots"
      lead="A snapshot contains the whole state: entities, clock, events and deliveries. A new snapshot replaces an older one with the same name."
    >
      <SaveSnapshotForm onSaved={() => void snapshots.reload()} />
      <Loaded from={snapshots}>
        {(saved) =>
          saved.length === 0 ? (
            <EmptyNote icon="repeat" title="No snapshots yet">
              <p>Save a snapshot before a change, and load it to try the change again.</p>
            </EmptyNote>
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

function SaveSnapshotForm({ onSaved }: { onSaved: () => void }) {
  const [name, setName] = useState<unknown>();
  const [error, setError] = useState<string>();
  async function saveSnapshot(): Promise<void> {
    try {
      if (name === undefined) throw new Error('Enter a name, such as before-checkout.');
      await getResponseData(control.PUT('/_control/snapshots/{name}', { params: { path: { name: String(name) } } }));
      showToast(`The snapshot ${name} was saved.`);
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
        void saveSnapshot();
      }}
    >
      <SchemaField
        label="Snapshot name"
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
  const removeSnapshot = async () => {
    await getResponseData(control.DELETE('/_control/snapshots/{name}', { params: { path: { name } } }));
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
            text: 'The entities, events, deliveries and clock are restored from the snapshot. Faults are removed, and the journal is emptied.',
            replace: () => getResponseData(control.POST('/_control/reset', { body: { to: name } })),
          })
        }
      >
        Load
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Delete the snapshot ${name}`}
        onClick={() => void runAction(removeSnapshot, `The snapshot ${name} was deleted.`)}
      >
        <Icon name="bin" />
      </button>
    </li>
  );
}
