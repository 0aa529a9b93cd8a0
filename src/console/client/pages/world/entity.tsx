import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/action.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { formatLabel } from '../../ui/form.tsx';
import { ErrorNote, Facts, Loaded, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ActorChoice, EntityForm } from './entity-form.tsx';
import { EntityHistory } from './history.tsx';
import { buildListHref, type Collection, changeCount, type Entity, getName, listEditableMembers, reportWorldChange } from './model.ts';
import { Relations } from './relations.tsx';
import { MemberValue } from './value.tsx';

export function EntityDetail({ collection, name }: { collection: Collection; name: string }) {
  const loaded = useResource(async () => (await call('readEntity', { collection, id: name })) as unknown as Entity, [changeCount.value]);
  const { singular, members } = entityForms[collection];
  return (
    <>
      <Loaded from={loaded} lines={10}>
        {(entity) => (
          <>
            {/* Another client may have deleted the entity. */}
            {loaded.error && <ErrorNote error={loaded.error} />}
            <div class="cards">
              <Section title={entity.alias} actions={<Badge>{singular}</Badge>}>
                <Facts
                  of={Object.fromEntries(
                    Object.keys(members).map((member) => [
                      formatLabel(member),
                      <MemberValue key={member} collection={collection} member={member} entity={entity} canCopy />,
                    ]),
                  )}
                />
              </Section>
              <EntityActions collection={collection} entity={entity} />
            </div>
            <Relations collection={collection} entity={entity} />
          </>
        )}
      </Loaded>
      {/* A deleted entity has a history, too. */}
      {(loaded.data ?? loaded.error) && <EntityHistory collection={collection} name={loaded.data ? getName(loaded.data) : name} />}
    </>
  );
}

function EntityActions({ collection, entity }: { collection: Collection; entity: Entity }) {
  const { singular, actor: standard } = entityForms[collection];
  const [actor, setActor] = useState(standard);
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { route } = useLocation();
  const isEditable = listEditableMembers(collection, entity).length > 0;
  const next = entity.state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const values = { collection, id: getName(entity), as: actor };
  const closeDialog = () => setOpen(undefined);
  const toggleState = async () => {
    await call('patchEntity', { ...values, body: { state: next } });
    reportWorldChange();
    return `The ${actor} set the connection to ${next}.`;
  };
  return (
    <Section title="Actions" lead="The kit publishes the same events as the service would.">
      <ActorChoice value={actor} onChange={setActor} />
      <div class="row">
        {collection === 'connections' && (
          <Action class="primary" run={toggleState}>
            {next === 'ACTIVE' ? 'Activate' : 'Deactivate'}
          </Action>
        )}
        {isEditable && (
          <button type="button" onClick={() => setOpen('edit')}>
            Edit
          </button>
        )}
        <button type="button" class="danger" onClick={() => setOpen('delete')}>
          Delete
        </button>
      </div>
      {!isEditable && <small>This {singular} cannot be changed. Delete it and create another one.</small>}
      {open === 'edit' && <EntityForm collection={collection} entity={entity} actor={actor} onClose={closeDialog} />}
      {open === 'delete' && (
        <ConfirmDialog
          title={`Delete the ${singular} ${entity.alias}?`}
          action="Delete"
          onClose={closeDialog}
          onConfirm={async () => {
            await call('deleteEntity', values);
            showToast(`The ${singular} ${entity.alias} was deleted by the ${actor}.`);
            reportWorldChange();
            route(buildListHref(collection));
          }}
        >
          The {actor} deletes the {singular} and everything that depends on it. The kit publishes events about the deletion.
        </ConfirmDialog>
      )}
    </Section>
  );
}
