import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { control, getResponseData } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ErrorNote, Loaded, Section } from '../../ui/page.tsx';
import { runAction, showToast } from '../../ui/toast.tsx';
import { ActorChoice } from './actor.tsx';
import { EntityForm } from './entity-form.tsx';
import { EntityHistory } from './history.tsx';
import {
  buildListHref,
  type Collection,
  changeCount,
  type Entity,
  formatLabel,
  getName,
  listEditableMembers,
  reportWorldChange,
} from './model.ts';
import { Relations } from './relations.tsx';
import { MemberValue } from './value.tsx';

export function EntityDetail({ collection, name }: { collection: Collection; name: string }) {
  const loaded = useResource(
    async () =>
      (await getResponseData(control.GET('/_control/state/{collection}/{id}', { params: { path: { collection, id: name } } }))) as Entity,
    [changeCount.value],
  );
  return (
    <>
      <Loaded from={loaded} lines={10}>
        {(entity) => (
          <>
            {/* Another client may have deleted the entity. */}
            {loaded.error && <ErrorNote error={loaded.error} />}
            <div class="cards">
              <Section title={entity.alias} actions={<Badge>{entityForms[collection].singular}</Badge>}>
                <EntityFacts collection={collection} entity={entity} />
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

function EntityFacts({ collection, entity }: { collection: Collection; entity: Entity }) {
  const members = Object.keys(entityForms[collection].members);
  return (
    <dl class="facts-list">
      {members.map((member) => (
        <>
          <dt>{formatLabel(member)}</dt>
          <dd>
            <MemberValue collection={collection} member={member} entity={entity} />
            {(member === 'id' || member === 'secret') && entity[member] !== undefined && (
              <CopyButton text={String(entity[member])} label={member} />
            )}
          </dd>
        </>
      ))}
    </dl>
  );
}

function EntityActions({ collection, entity }: { collection: Collection; entity: Entity }) {
  const { singular, actor: standard } = entityForms[collection];
  const [actor, setActor] = useState(standard);
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { route } = useLocation();
  const isEditable = listEditableMembers(collection, entity).length > 0;
  const next = entity.state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const params = { path: { collection, id: getName(entity) }, query: { as: actor } };
  const closeDialog = () => setOpen(undefined);
  const toggleState = async () => {
    await getResponseData(control.PATCH('/_control/state/{collection}/{id}', { params, body: { state: next } }));
    reportWorldChange();
  };
  return (
    <Section title="Actions" lead="The kit publishes the same events as the service would.">
      <ActorChoice value={actor} onChange={setActor} />
      <div class="actions">
        {collection === 'connections' && (
          <button type="button" class="primary" onClick={() => void runAction(toggleState, `The ${actor} set the connection to ${next}.`)}>
            {next === 'ACTIVE' ? 'Activate' : 'Deactivate'}
          </button>
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
            await getResponseData(control.DELETE('/_control/state/{collection}/{id}', { params }));
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
