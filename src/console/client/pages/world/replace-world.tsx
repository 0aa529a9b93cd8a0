import type { ComponentProps } from 'preact';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { OperationForm } from '../../ui/form.tsx';
import { EmptyNote, LoadedLines, Part, Section } from '../../ui/page.tsx';
import { withNote } from '../../ui/table.tsx';
import { undo } from '../../ui/toast.ts';
import { Badge, Named, TimeText } from '../../ui/values.tsx';
import { Differences } from './history.tsx';
import { buildEntityHref } from './model.ts';

interface LoadedWorld {
  readonly world: string;
  readonly entities: Readonly<Record<string, number>>;
}

export function describeWorld({ world, entities }: LoadedWorld): string {
  const count = Object.values(entities).reduce((sum, each) => sum + each, 0);
  return `The world is now ${world}, with ${count.toLocaleString('en')} entities.`;
}

export function Changes() {
  const changes = useResource(() => call('listUndoable'), [], { on: ['event'] });
  return (
    <Section
      title="Changes"
      lead="The changes that the console and xpk made, newest first. They can be undone in this order, until something else changes the world."
    >
      <LoadedLines
        from={changes}
        empty={<p class="muted">There is no change to undo.</p>}
        line={(change, index) => ({
          title: <OpenableChange change={change} />,
          actions: index === 0 && <Action icon="repeat" run={() => undo(change.id)} text="Undo" />,
        })}
      />
    </Section>
  );
}

const OpenableChange = ({ change: { text, at, request, changes } }: { change: Schemas['Undoable'] }) => (
  <details>
    <summary>{withNote(<Named text={text} />, <TimeText at={at} />)}</summary>
    <div class="stack tight text-2 answer">
      {changes.map(({ collection, entityId, name, action, difference }) => (
        <div key={`${entityId} ${action}`}>
          <Badge tone="info">{action}</Badge> {entityForms[collection].singular}{' '}
          <a href={buildEntityHref(collection, entityId)}>
            <Named text={name} />
          </a>
          <Differences collection={collection} of={difference} />
        </div>
      ))}
      <code class="muted">{request}</code>
    </div>
  </details>
);

const SNAPSHOT_NAME = { type: 'string', description: 'Lower-case letters, digits and hyphens.' } as const;

export function Snapshots() {
  const snapshots = useResource(() => call('listSnapshots'), [], { on: ['event'] });
  return (
    <Section
      title="Snapshots"
      lead="A snapshot contains the whole state: entities, clock, events and deliveries. A new snapshot replaces an older one with the same name."
    >
      <OperationForm
        // Empties the form after a snapshot was saved.
        key={snapshots.data?.length}
        operation="saveSnapshot"
        layout="inline"
        describe={() => ({ label: 'Snapshot name', field: SNAPSHOT_NAME, placeholder: 'such as before-checkout' })}
        action="Save"
        done={({ name }) => `The snapshot ${name} was saved.`}
      />
      <LoadedLines
        from={snapshots}
        empty={<EmptyNote title="No snapshots yet" lead="Save a snapshot before a change, and load it to try the change again." />}
        line={({ name, savedAt, world }) => ({
          title: <b>{name}</b>,
          lead: [world, ', ', <TimeText key="at" at={savedAt} />],
          actions: (
            <>
              <LoadButton text="Load" label={`Load the snapshot ${name}`} run={() => call('reset', { to: name })} />
              <Action
                class="quiet"
                icon="bin"
                label={`Delete the snapshot ${name}`}
                run={() => call('deleteSnapshot', { name })}
                done={`The snapshot ${name} was deleted.`}
              />
            </>
          ),
        })}
      />
    </Section>
  );
}

type LoadButtonProps = Pick<ComponentProps<typeof ConfirmButton<LoadedWorld>>, 'text' | 'label' | 'title' | 'action' | 'run'>;

const LoadButton = (props: LoadButtonProps) => (
  <ConfirmButton
    {...props}
    warning="All entities, events, deliveries and faults are replaced, and the journal is emptied. You can undo this, but that brings back neither the faults nor the journal."
    done={describeWorld}
  />
);

export function Reset() {
  const scenarios = useResource(() => call('listScenarios'));
  return (
    <Section title="Reset" lead="A reset also removes the faults, the events and the journal. It keeps the snapshots.">
      <div class="row">
        <LoadButton
          text="Reset to the initial state"
          title="Reset the world to its initial state?"
          action="Reset"
          run={() => call('reset', { to: 'seed' })}
        />
        <LoadButton text="Empty the world" action="Empty" run={() => call('reset', { to: 'empty' })} />
      </div>
      <Part title="Scenarios">
        <LoadedLines
          from={scenarios}
          line={({ name, description, decisions }) => ({
            title: [
              <b key="name">{name}</b>,
              ' ',
              ...Object.keys(decisions).map((id) => (
                <Badge key={id} tone="warn">
                  needs {id}
                </Badge>
              )),
            ],
            lead: description,
            actions: <LoadButton text="Load" label={`Load the scenario ${name}`} run={() => call('loadScenario', { scenario: name })} />,
          })}
        />
      </Part>
    </Section>
  );
}
