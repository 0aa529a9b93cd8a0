import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { ConfirmButton, DialogButton } from '../../ui/dialog.tsx';
import { formatLabel } from '../../ui/form.tsx';
import { ErrorNote, Facts, Loaded, Section } from '../../ui/page.tsx';
import { Badge } from '../../ui/values.tsx';
import { ActorChoice, EntityForm } from './entity-form.tsx';
import { EntityHistory } from './history.tsx';
import {
  buildEntityHref,
  buildListHref,
  type Collection,
  collections,
  describe,
  type Entity,
  getKey,
  listEditableMembers,
  listEntities,
  type Owner,
} from './model.ts';
import { MemberValue } from './value.tsx';

export function EntityDetail({ collection, name }: { collection: Collection; name: string }) {
  // The event about a deletion arrives before the response to it.
  const deleting = useRef<Entity>(undefined);
  const readEntity = async () => deleting.current ?? ((await call('readEntity', { collection, id: name })) as unknown as Entity);
  const loaded = useResource(readEntity, [], { on: ['event'] });
  const { singular, members } = entityForms[collection];
  return (
    <>
      <Loaded from={loaded}>
        {(entity) => (
          <>
            {/* Another client may have deleted the entity. */}
            {loaded.error && <ErrorNote error={loaded.error} />}
            <div class="cards">
              <Section title={<span title={entity.id}>{describe(entity)}</span>} actions={<Badge>{singular}</Badge>}>
                <Facts
                  of={Object.fromEntries(
                    Object.keys(members).map((member) => [
                      formatLabel(member),
                      <MemberValue key={member} collection={collection} member={member} entity={entity} canCopy />,
                    ]),
                  )}
                />
              </Section>
              <EntityActions collection={collection} entity={entity} deleting={deleting} />
            </div>
            <Relations collection={collection} entity={entity} />
          </>
        )}
      </Loaded>
      {/* A deleted entity has a history, too. */}
      {(loaded.data ?? loaded.error) && <EntityHistory collection={collection} name={loaded.data ? getKey(loaded.data) : name} />}
    </>
  );
}

type ActionsProps = { readonly collection: Collection; readonly entity: Entity; readonly deleting: { current: Entity | undefined } };

function EntityActions({ collection, entity, deleting }: ActionsProps) {
  const { singular, actor: standard } = entityForms[collection];
  const [actor, setActor] = useState(standard);
  const { route } = useLocation();
  const isEditable = listEditableMembers(collection, entity).length > 0;
  const next = entity.state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE';
  const values = { collection, id: getKey(entity), as: actor };
  return (
    <Section title="Actions" lead="The kit publishes the same events as the service would.">
      <ActorChoice value={actor} onChange={setActor} />
      <div class="row">
        {collection === 'connections' && (
          <Action
            class="primary"
            run={() => call('patchEntity', { ...values, body: { state: next } })}
            done={`The connection ${describe(entity)} was set to ${next} by the ${actor}.`}
            text={next === 'ACTIVE' ? 'Activate' : 'Deactivate'}
          />
        )}
        {isEditable && (
          <DialogButton text="Edit" title={`Edit the ${singular} ${describe(entity)}`}>
            {(close) => <EntityForm collection={collection} entity={entity} actor={actor} onClose={close} />}
          </DialogButton>
        )}
        <ConfirmButton
          class="danger"
          text="Delete"
          title={`Delete the ${singular} ${describe(entity)}?`}
          warning={`The ${actor} deletes the ${singular} and everything that depends on it. The kit publishes events about the deletion.`}
          run={async () => {
            deleting.current = entity;
            await call('deleteEntity', values).catch((error: Error) => {
              deleting.current = undefined;
              throw error;
            });
            route(buildListHref(collection));
          }}
          done={`The ${singular} ${describe(entity)} was deleted by the ${actor}.`}
        />
      </div>
      {!isEditable && <small>This {singular} cannot be changed. Delete it and create another one.</small>}
    </Section>
  );
}

const MAX_ENTITIES_SHOWN = 8;

type Relation = { readonly collection: Collection; readonly owner: Owner };

const ASSIGNMENT_FILTERS: Readonly<Partial<Record<Collection, Owner>>> = {
  accounts: 'account',
  users: 'target',
  telephoneNumbers: 'target',
};

function listRelations(collection: Collection): readonly Relation[] {
  const related = collections.flatMap((other) =>
    Object.entries(entityForms[other].references)
      .filter(([, referred]) => referred === collection)
      .map(([owner]) => ({ collection: other, owner: owner as Owner })),
  );
  const owner = ASSIGNMENT_FILTERS[collection];
  return owner ? [...related, { collection: 'assignments', owner }] : related;
}

function Relations({ collection, entity }: { collection: Collection; entity: Entity }) {
  const relations = listRelations(collection);
  if (relations.length === 0) return null;
  return (
    <Section title="Related entities">
      <div class="columns">
        {relations.map((relation) => (
          <RelatedEntities key={relation.collection} {...relation} name={getKey(entity)} />
        ))}
      </div>
    </Section>
  );
}

function RelatedEntities({ collection, owner, name }: Relation & { name: string }) {
  const page = useResource(() => listEntities(collection, { limit: MAX_ENTITIES_SHOWN, [owner]: name }), [], { on: ['event'] });
  const entities = page.data?.entities ?? [];
  return (
    <div class="stack tight text-2">
      <h3>
        <a href={buildListHref(collection, { [owner]: name })}>{formatLabel(collection)}</a>
      </h3>
      <ul>
        {entities.map((each) => (
          <li key={each.alias}>
            <a href={buildEntityHref(collection, getKey(each))}>{describe(each)}</a>
          </li>
        ))}
        {page.data && entities.length === 0 && <li class="muted">none</li>}
        {page.data?.next !== undefined && <li class="muted">and more</li>}
      </ul>
    </div>
  );
}
