import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/values.tsx';
import { changeCount } from './model.ts';
import { ReplaceButton, reloadWorld } from './replace-world.tsx';

export function Snapshots() {
  const snapshots = useResource(() => call('listSnapshots'), [changeCount.value]);
  return (
    <Section
      title="Snapshots"
      actions={
        <Action icon="repeat" run={() => call('undo')} reload={reloadWorld} done={({ undone }) => `Undone: ${undone.request}`}>
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
        reload={snapshots.reload}
        done={({ name }) => `The snapshot ${name} was saved.`}
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
              <SnapshotRow key={snapshot.name} {...snapshot} reload={snapshots.reload} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const SnapshotRow = ({ name, savedAt, world, reload }: Schemas['Snapshot'] & { reload: () => Promise<void> }) => (
  <li class="row nowrap">
    <div class="fill">
      <b>{name}</b>
      <small>
        {world}, <TimeText at={savedAt} />
      </small>
    </div>
    <ReplaceButton
      text="Load"
      label={`Load the snapshot ${name}`}
      action="Load"
      warning="The entities, events, deliveries and clock are restored from the snapshot. Faults are removed, and the journal is emptied."
      run={() => call('reset', { to: name })}
    />
    <Action
      class="quiet"
      icon="bin"
      label={`Delete the snapshot ${name}`}
      run={() => call('deleteSnapshot', { name })}
      reload={reload}
      done={`The snapshot ${name} was deleted.`}
    />
  </li>
);
