import { useState } from 'preact/hooks';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { call } from '../../kit/control.ts';
import { suggestNames } from '../../kit/names.ts';
import { Form, type Members } from '../../ui/form.tsx';
import { finishOperation } from '../../ui/toast.ts';
import { type Actor, type Collection, type Entity, getKey, getReferredCollection, listEditableMembers } from './model.ts';

interface EntityFormProps {
  readonly collection: Collection;
  /** The entity to change; undefined in a form that creates an entity. */
  readonly entity?: Entity;
  readonly initial?: Members;
  readonly actor: Actor;
  readonly onClose: () => void;
  readonly onSaved?: (entity: Entity) => void;
}

export function EntityForm({ collection, entity, initial = {}, actor: initialActor, onClose, onSaved }: EntityFormProps) {
  const { singular, members, required, alias, levels } = entityForms[collection];
  const [actor, setActor] = useState(initialActor);
  const isNumber = collection === 'telephoneNumbers';
  const aliasField = isNumber ? alias : { type: 'string', description: 'A readable name. Default: the ID.' };
  const editable = Object.fromEntries(listEditableMembers(collection, entity).map((member) => [member, members[member] ?? {}]));
  const fields = entity ? editable : { alias: aliasField, ...editable };
  return (
    <Form
      fields={fields as typeof members}
      required={(isNumber ? ['alias', ...required] : required).filter((member) => member in fields)}
      initial={entity ?? initial}
      describe={(member, draft) => {
        const referred = levels?.member === member ? levels.collection : getReferredCollection(collection, member, draft);
        return {
          ...(member === 'alias' && isNumber && { label: 'Telephone number' }),
          ...(referred && { suggestions: suggestNames(referred), placeholder: 'name, alias or ID' }),
        };
      }}
      action={entity ? 'Save' : 'Create'}
      onClose={onClose}
      onSubmit={async (draft) => {
        const saved = await saveEntity(collection, entity, draft, actor);
        onSaved?.(saved);
        await finishOperation(saved, `The ${singular} ${getKey(saved)} was ${entity ? 'changed' : 'created'} by the ${actor}.`);
      }}
    >
      <ActorChoice value={actor} onChange={setActor} />
    </Form>
  );
}

export const ActorChoice = ({ value, onChange }: { value: Actor; onChange: (actor: Actor) => void }) => (
  <fieldset>
    <legend>Act as</legend>
    <div class="row facts">
      {(['portal', 'platform'] as const).map((actor) => (
        <label key={actor} class="row">
          <input type="radio" name="actor" checked={value === actor} onChange={() => onChange(actor)} />
          {actor === 'portal' ? 'Portal' : 'Platform'}
        </label>
      ))}
    </div>
  </fieldset>
);

async function saveEntity(collection: Collection, entity: Entity | undefined, draft: Members, actor: Actor): Promise<Entity> {
  const patch = entity && createPatch(entity, draft, entityForms[collection].levels?.member);
  const saved = entity
    ? call('patchEntity', { collection, id: getKey(entity), as: actor, body: patch as never })
    : call('createEntity', { collection, as: actor, body: draft as never });
  return (await saved) as unknown as Entity;
}

/** Null removes a member, or an entry in a map of levels. */
function createPatch(before: Members, after: Members, levels?: string): Record<string, unknown> {
  const changed = findChangedMembers(before, after);
  if (levels === undefined || !(levels in changed) || changed[levels] === null) return changed;
  return { ...changed, [levels]: findChangedMembers((before[levels] ?? {}) as Members, changed[levels] as Members) };
}

function findChangedMembers(before: Members, after: Members): Record<string, unknown> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  return Object.fromEntries([...names].filter(isChanged).map((name) => [name, after[name] ?? null]));
}
