import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { control, dataOf } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge } from '../../ui/badge.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ErrorNote, Loaded, Section } from '../../ui/page.tsx';
import { attempt, toast } from '../../ui/toast.tsx';
import { ActorChoice } from './actor.tsx';
import { EntityForm } from './entity-form.tsx';
import { History } from './history.tsx';
import { type Collection, changes, type Entity, editableMembers, labelOf, listHref, nameOf, worldChanged } from './model.ts';
import { Relations } from './relations.tsx';
import { MemberValue } from './value.tsx';

/** One entity: its members, what can be done with it, what belongs to it, and what happened to it. */
export function EntityDetail({ collection, name }: { collection: Collection; name: string }) {
  const loaded = useResource(
    async () => (await dataOf(control.GET('/_control/state/{collection}/{id}', { params: { path: { collection, id: name } } }))) as Entity,
    [changes.value],
  );
  return (
    <>
      <Loaded from={loaded} lines={10}>
        {(entity) => (
          <>
            {/* Another client may have deleted it. */}
            {loaded.error && <ErrorNote error={loaded.error} />}
            <div class="cards">
              <Section title={entity.alias} actions={<Badge>{entityForms[collection].singular}</Badge>}>
                <Facts collection={collection} entity={entity} />
              </Section>
              <Actions collection={collection} entity={entity} />
            </div>
            <Relations collection={collection} entity={entity} />
          </>
        )}
      </Loaded>
      {/* A deleted entity has a history, too. */}
      {(loaded.data ?? loaded.error) && <History collection={collection} name={loaded.data ? nameOf(loaded.data) : name} />}
    </>
  );
}

function Facts({ collection, entity }: { collection: Collection; entity: Entity }) {
  const members = Object.keys(entityForms[collection].members);
  return (
    <dl class="facts-list">
      {members.map((member) => (
        <>
          <dt>{labelOf(member)}</dt>
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

function Actions({ collection, entity }: { collection: Collection; entity: Entity }) {
  const { singular, actor: standard } = entityForms[collection];
  const [actor, setActor] = useState(standard);
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const { route } = useLocation();
  const isEditable = editableMembers(collection, entity).length > 0;
  const next = entity.state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const params = { path: { collection, id: nameOf(entity) }, query: { as: actor } };
  const close = () => setOpen(undefined);
  const setState = async () => {
    await dataOf(control.PATCH('/_control/state/{collection}/{id}', { params, body: { state: next } }));
    worldChanged();
  };
  return (
    <Section title="Actions" lead="The kit publishes the same events as the service would.">
      <ActorChoice value={actor} onChange={setActor} />
      <div class="actions">
        {collection === 'connections' && (
          <button type="button" class="primary" onClick={() => void attempt(setState, `The connection is ${next}, by the ${actor}.`)}>
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
      {!isEditable && <small>The members of a {singular} cannot change. Delete it, and create another one.</small>}
      {open === 'edit' && <EntityForm collection={collection} entity={entity} actor={actor} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={`Delete the ${singular} ${entity.alias}?`}
          action="Delete"
          onClose={close}
          onConfirm={async () => {
            await dataOf(control.DELETE('/_control/state/{collection}/{id}', { params }));
            toast(`The ${singular} ${entity.alias} was deleted as the ${actor}.`);
            worldChanged();
            route(listHref(collection));
          }}
        >
          The {actor} deletes it with everything that depends on it. The kit publishes the events of the deletion.
        </Confirm>
      )}
    </Section>
  );
}
