import { useEffect, useRef, useState } from 'preact/hooks';
import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import { control, getResponseData, RefusedError } from '../../kit/control.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { appendPointer, SchemaField } from '../../ui/schema-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ActorChoice } from './actor.tsx';
import {
  type Actor,
  type Collection,
  type Entity,
  formatLabel,
  getName,
  getReferredCollection,
  listEditableMembers,
  listEntities,
  type Members,
  reportWorldChange,
} from './model.ts';
import { createPatch } from './patch.ts';

interface EntityFormProps {
  readonly collection: Collection;
  /** The entity to change; undefined in a form that creates an entity. */
  readonly entity?: Entity;
  readonly initial?: Members;
  readonly actor: Actor;
  readonly onClose: () => void;
  readonly onSaved?: (entity: Entity) => void;
}

const MAX_SUGGESTIONS = 20;

/** The kit validates the values. */
export function EntityForm({ collection, entity, initial = {}, actor: initialActor, onClose, onSaved }: EntityFormProps) {
  const { singular, members, required, alias, levels } = entityForms[collection];
  const shown = listEditableMembers(collection, entity);
  const isNumber = collection === 'telephoneNumbers';
  const [draft, setDraft] = useState<Members>(entity ?? initial);
  const [actor, setActor] = useState(initialActor);
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const [refusal, setRefusal] = useState<Error>();
  const form = useRef<HTMLFormElement>(null);
  // Move the focus to the first error after it is shown.
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] :is(input, select, textarea, button)')?.focus();
  }, [errors]);
  const fields = entity ? shown : ['alias', ...shown];
  const mandatory = isNumber ? ['alias', ...required] : required;

  async function submitForm(): Promise<void> {
    const missing = mandatory.filter((member) => fields.includes(member) && draft[member] === undefined);
    setRefusal(undefined);
    setErrors(new Map(missing.map((member) => [appendPointer('', member), 'This value is missing.'])));
    if (missing.length > 0) return;
    try {
      const saved = await saveEntity(collection, entity, draft, actor);
      showToast(`The ${singular} ${saved.alias} was ${entity ? 'changed' : 'created'} by the ${actor}.`);
      reportWorldChange();
      onClose();
      onSaved?.(saved);
    } catch (error) {
      const reported = error instanceof RefusedError ? error.errors : [];
      const placed = reported.filter(({ pointer }) => fields.some((member) => `${pointer}/`.startsWith(`${appendPointer('', member)}/`)));
      setErrors(new Map(placed.map(({ pointer, message }) => [pointer, message])));
      if (placed.length === 0) setRefusal(error as Error);
    }
  }

  const createAliasSearch = (referred: Collection) => async (text: string) => {
    const { entities } = await listEntities(referred, { limit: MAX_SUGGESTIONS, ...(text !== '' && { search: text }) });
    return entities.map((each) => each.alias);
  };
  const getSuggestions = (member: string) => {
    const referred = levels?.member === member ? levels.collection : getReferredCollection(collection, member, draft);
    return referred && createAliasSearch(referred);
  };
  return (
    <Dialog title={entity ? `Edit the ${singular} ${entity.alias}` : `New ${singular}`} onClose={onClose}>
      <form
        ref={form}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submitForm();
        }}
      >
        {refusal && <ErrorNote error={refusal} />}
        {fields.map((member) => (
          <SchemaField
            key={member}
            label={member === 'alias' && isNumber ? 'Telephone number' : formatLabel(member)}
            field={member === 'alias' ? (isNumber ? alias : ALIAS_FIELD) : (members[member] ?? {})}
            value={draft[member]}
            pointer={appendPointer('', member)}
            errors={errors}
            isRequired={mandatory.includes(member)}
            suggestions={getSuggestions(member)}
            onChange={(value) => setDraft((before) => ({ ...before, [member]: value }))}
          />
        ))}
        <ActorChoice value={actor} onChange={setActor} />
        <div class="actions">
          <button type="submit" class="primary">
            {entity ? 'Save' : 'Create'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const ALIAS_FIELD = { type: 'string', description: 'A readable name. Default: the ID.' } as const;

async function saveEntity(collection: Collection, entity: Entity | undefined, draft: Members, actor: Actor): Promise<Entity> {
  const query = { as: actor };
  if (!entity) {
    const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    return (await getResponseData(
      control.POST('/_control/state/{collection}', { params: { path: { collection }, query }, body: given }),
    )) as Entity;
  }
  const path = { collection, id: getName(entity) };
  const body = createPatch(entity, draft, entityForms[collection].levels?.member);
  return (await getResponseData(control.PATCH('/_control/state/{collection}/{id}', { params: { path, query }, body }))) as Entity;
}
