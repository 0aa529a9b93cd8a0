import { useState } from 'preact/hooks';
import { control, dataOf, Refused } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { type EventType, eventTypes } from './event-types.ts';

interface FieldError {
  readonly pointer: string;
  readonly message: string;
}

/** Creates a subscription. Errors of the kit are shown at their fields. */
export function SubscribeDialog({ onClose, reload }: { onClose: () => void; reload: () => Promise<void> }) {
  const [error, setError] = useState<Error>();
  const names = useResource(async () => {
    const [providers, experiences] = await Promise.all([aliasesOf('providers'), aliasesOf('experiences')]);
    return { providers, experiences };
  });
  const create = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    const body = {
      types: form.getAll('types') as EventType[],
      ...defined({
        destinationUrl: text('destinationUrl'),
        alias: text('alias'),
        providerId: text('providerId'),
        experienceId: text('experienceId'),
        secret: text('secret'),
      }),
    };
    const { alias } = await dataOf(control.POST('/_control/subscriptions', { body }));
    await reload();
    toast(`${alias} receives the events from now on.`);
    onClose();
  };
  const errors = error instanceof Refused ? ((error.problem.errors ?? []) as unknown as readonly FieldError[]) : [];
  const errorAt = (name: string) => errors.find(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))?.message;
  const isAtField = FIELDS.some((name) => errorAt(name) !== undefined);
  return (
    <Dialog title="New subscription" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create(new FormData(event.currentTarget)).catch(setError);
        }}
      >
        <Field
          name="destinationUrl"
          label="Destination"
          note="Leave it empty to use the inbox of the kit."
          error={errorAt('destinationUrl')}
          placeholder="http://127.0.0.1:3000/webhook"
        />
        <Field name="alias" label="Alias" error={errorAt('alias')} />
        <div class="two-fields">
          <Choice
            name="providerId"
            label="Provider"
            none="of the Experience"
            options={names.data?.providers ?? []}
            error={errorAt('providerId')}
          />
          <Choice
            name="experienceId"
            label="Experience"
            none="every Experience"
            options={names.data?.experiences ?? []}
            error={errorAt('experienceId')}
          />
        </div>
        <fieldset class="choices">
          <legend>Types of events</legend>
          {eventTypes.map((type) => (
            <label key={type} class="check">
              <input type="checkbox" name="types" value={type} defaultChecked />
              {type}
            </label>
          ))}
          {errorAt('types') && <p class="field-error">{errorAt('types')}</p>}
        </fieldset>
        <Field
          name="secret"
          label="Signing secret"
          note="Leave it empty for a secret that is derived from the id."
          error={errorAt('secret')}
          placeholder="whsec_…"
        />
        {error && !isAtField && <ErrorNote error={error} />}
        <div class="actions">
          <button type="submit" class="primary">
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const FIELDS = ['destinationUrl', 'alias', 'providerId', 'experienceId', 'types', 'secret'];

async function aliasesOf(collection: 'providers' | 'experiences'): Promise<string[]> {
  return Object.keys(await dataOf(control.GET('/_control/state/{collection}', { params: { path: { collection } } })));
}

const defined = <Members extends object>(members: Members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<{ [Name in keyof Members]: string }>;

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly error: string | undefined;
  readonly note?: string;
  readonly placeholder?: string;
}

function Field({ name, label, note, error, placeholder }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        name={name}
        autocomplete="off"
        placeholder={placeholder}
        aria-invalid={error !== undefined}
        aria-describedby={error && `${name}-error`}
      />
      {error ? (
        <small class="field-error" id={`${name}-error`}>
          {error}
        </small>
      ) : (
        note && <small>{note}</small>
      )}
    </label>
  );
}

function Choice({
  name,
  label,
  none,
  options,
  error,
}: Omit<FieldProps, 'note' | 'placeholder'> & { none: string; options: readonly string[] }) {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name} aria-invalid={error !== undefined}>
        <option value="">{none}</option>
        {options.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      {error && <small class="field-error">{error}</small>}
    </label>
  );
}
