import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { refreshKit } from '../../kit/state.ts';
import { Action } from '../../ui/action.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { showToast } from '../../ui/toast.tsx';
import { changeCount, reportWorldChange } from './model.ts';
import { ReplaceButton } from './replace-world.tsx';

export function Snapshots() {
  const snapshots = useResource(() => call('listSnapshots'), [changeCount.value]);
  return (
    <Section
      title="Snapshots"
      actions={
        <Action icon="repeat" run={undoChange}>
          Undo the last change
        </Action>
      }
      lead="A snapshot contains the whole state: entities, clock, events and deliveries. A new snapshot replaces an older one with the same name."
    >
      <OperationForm
        // Empties the form after a snapshot was saved.
        key={snapshots.data?.length}
        operation="saveSnapshot"
        layout="inline"
        describe={() => ({ label: 'Snapshot name', field: { type: 'string' }, placeholder: 'such as before-checkout' })}
        action="Save"
        onDone={({ name }) => {
          showToast(`The snapshot ${name} was saved.`);
          void snapshots.reload();
        }}
      />
      <Loaded
        from={snapshots}
        empty={
          <EmptyNote icon="repeat" title="No snapshots yet">
            Save a snapshot before a change, and load it to try the change again.
          </EmptyNote>
        }
      >
        {(saved) => (
          <ul class="lines">
            {saved.map((snapshot) => (
              <SnapshotRow key={snapshot.name} {...snapshot} onDeleted={() => void snapshots.reload()} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

async function undoChange(): Promise<string> {
  const { undone } = await call('undo');
  reportWorldChange();
  void refreshKit().catch(() => {});
  return `Undone: ${undone.request}`;
}

function SnapshotRow({ name, savedAt, world, onDeleted }: Schemas['Snapshot'] & { onDeleted: () => void }) {
  const removeSnapshot = async () => {
    await call('deleteSnapshot', { name });
    onDeleted();
    return `The snapshot ${name} was deleted.`;
  };
  return (
    <li class="row nowrap">
      <div class="fill">
        <b>{name}</b>
        <small>
          {world}, <TimeText ms={Date.parse(savedAt)} />
        </small>
      </div>
      <ReplaceButton
        text="Load"
        label={`Load the snapshot ${name}`}
        title={`Load the snapshot ${name}?`}
        action="Load"
        warning="The entities, events, deliveries and clock are restored from the snapshot. Faults are removed, and the journal is emptied."
        replace={() => call('reset', { to: name })}
      />
      <Action class="quiet" icon="bin" label={`Delete the snapshot ${name}`} run={removeSnapshot} />
    </li>
  );
}
