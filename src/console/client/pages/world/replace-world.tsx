import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { EmptyNote, Loaded, Part, Section } from '../../ui/page.tsx';
import { Badge, TimeText } from '../../ui/values.tsx';

interface LoadedWorld {
  readonly world: string;
  readonly entities: Readonly<Record<string, number>>;
}

export function describeWorld({ world, entities }: LoadedWorld): string {
  const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
  return `The world is now ${world}, with ${count.toLocaleString('en')} entities.`;
}

export function Snapshots() {
  const snapshots = useResource(() => call('listSnapshots'), [], { on: ['event'] });
  return (
    <Section
      title="Snapshots"
      actions={
        <Action icon="repeat" run={() => call('undo')} done={({ undone }) => `Undone: ${undone.request}`} text="Undo the last change" />
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
              <SnapshotRow key={snapshot.name} {...snapshot} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const SnapshotRow = ({ name, savedAt, world }: Schemas['Snapshot']) => (
  <li class="row nowrap">
    <div class="fill">
      <b>{name}</b>
      <small>
        {world}, <TimeText at={savedAt} />
      </small>
    </div>
    <ConfirmButton
      text="Load"
      label={`Load the snapshot ${name}`}
      warning="The entities, events, deliveries and clock are restored from the snapshot. Faults are removed, and the journal is emptied."
      run={() => call('reset', { to: name })}
      done={describeWorld}
    />
    <Action
      class="quiet"
      icon="bin"
      label={`Delete the snapshot ${name}`}
      run={() => call('deleteSnapshot', { name })}
      done={`The snapshot ${name} was deleted.`}
    />
  </li>
);

const LOST_DATA = 'All entities, events, deliveries and faults are replaced, and the journal is emptied. Snapshots are kept.';

export function Reset() {
  const scenarios = useResource(() => call('listScenarios'));
  return (
    <Section title="Reset" lead="A reset also removes the faults, the events and the journal. It keeps the snapshots.">
      <div class="row">
        <ConfirmButton
          text="Reset to the initial state"
          title="Reset the world to its initial state?"
          action="Reset"
          warning={LOST_DATA}
          run={() => call('reset', { to: 'seed' })}
          done={describeWorld}
        />
        <ConfirmButton
          text="Empty the world"
          action="Empty"
          warning={LOST_DATA}
          run={() => call('reset', { to: 'empty' })}
          done={describeWorld}
        />
      </div>
      <Part title="Scenarios">
        <Loaded from={scenarios} lines={5}>
          {(listed) => (
            <ul class="lines">
              {listed.map((scenario) => (
                <ScenarioRow key={scenario.name} {...scenario} />
              ))}
            </ul>
          )}
        </Loaded>
      </Part>
    </Section>
  );
}

const ScenarioRow = ({ name, description, decisions }: Schemas['Scenario']) => (
  <li class="row nowrap">
    <div class="fill">
      <b>{name}</b> {Object.keys(decisions).length > 0 && <Badge tone="warn">needs decisions</Badge>}
      <small>{description}</small>
    </div>
    <ConfirmButton
      text="Load"
      label={`Load the scenario ${name}`}
      warning={LOST_DATA}
      run={() => call('loadScenario', { scenario: name })}
      done={describeWorld}
    />
  </li>
);
