import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { Check, Choice, type FieldProps, JsonInput, Lines, TextInput } from './schema-inputs.tsx';

const STEP = { '~': '~0', '/': '~1' } as const;
/** Adds a step to a JSON pointer. */
export const pointerTo = (pointer: string, step: string | number) =>
  `${pointer}/${String(step).replaceAll(/[~/]/g, (letter) => STEP[letter as '~'])}`;

/** An input for a value of a schema. Its error is that at its pointer, or below it if there is no input there. */
export function SchemaField(props: FieldProps) {
  const { field } = props;
  if (field.enum) return <Choice {...props} />;
  if (field.type === 'boolean') return <Check {...props} />;
  if (field.type === 'array' && field.items?.enum) return <Choices {...props} />;
  if (field.type === 'array' && field.items?.type === 'object') return <Items {...props} />;
  if (field.type === 'array') return <Lines {...props} />;
  if (field.type === 'object' && field.additionalProperties) return <Entries {...props} />;
  if (field.type === 'object' && field.properties) return <Group {...props} />;
  if (field.type === 'object') return <JsonInput {...props} />;
  return <TextInput {...props} />;
}

/** Several inputs with one name. The error at their own pointer is about all of them. */
function Grouped({ children, ...props }: Omit<FieldProps, 'children'> & { children: ComponentChildren }) {
  const id = useId();
  const { label, field, pointer, errors, isRequired } = props;
  const error = errors.get(pointer);
  return (
    <fieldset class="group" data-invalid={error !== undefined} aria-describedby={error && `${id}-error`}>
      <legend>
        {label} {isRequired && <small>required</small>}
      </legend>
      {field.description && <small>{field.description}</small>}
      {error && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}

function Choices(props: FieldProps) {
  const { field, value, onChange } = props;
  const chosen = (value as string[]) ?? [];
  const options = field.items?.enum ?? [];
  return (
    <Grouped {...props}>
      {options.map((option) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ currentTarget: { checked } }) => {
              const next = options.filter((each) => (each === option ? checked : chosen.includes(each)));
              onChange(next.length === 0 ? undefined : next);
            }}
          />
          {option}
        </label>
      ))}
    </Grouped>
  );
}

function Group(props: FieldProps) {
  const { field, value, onChange, pointer, errors } = props;
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <Grouped {...props}>
      {Object.entries(field.properties ?? {}).map(([name, member]) => (
        <SchemaField
          key={name}
          label={name}
          field={member}
          value={members[name]}
          pointer={pointerTo(pointer, name)}
          errors={errors}
          isRequired={field.required?.includes(name) ?? false}
          onChange={(next) => onChange(withMember(members, name, next))}
        />
      ))}
    </Grouped>
  );
}

/** Sets or removes a member. An object without members is no value. */
export function withMember(members: Readonly<Record<string, unknown>>, name: string, value: unknown) {
  const { [name]: _, ...others } = members;
  const next = value === undefined ? others : { ...members, [name]: value };
  return Object.keys(next).length === 0 ? undefined : next;
}

function Items(props: FieldProps) {
  const { field, value, onChange, pointer, errors, label } = props;
  const items = (value as unknown[]) ?? [];
  const set = (next: unknown[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <Grouped {...props}>
      {items.map((item, index) => (
        <div key={index} class="item">
          <Group
            label={`${label} ${index + 1}`}
            field={{ ...field.items, description: '' }}
            value={item}
            pointer={pointerTo(pointer, index)}
            errors={errors}
            onChange={(next) => set(items.with(index, next ?? {}))}
          />
          <RemoveButton label={`${label} ${index + 1}`} onClick={() => set(items.toSpliced(index, 1))} />
        </div>
      ))}
      <AddButton onClick={() => set([...items, {}])} />
    </Grouped>
  );
}

/** A map of names to one of a few values. */
function Entries(props: FieldProps) {
  const { field, value, onChange, pointer, errors, label, suggestions } = props;
  const entries = Object.entries((value as Readonly<Record<string, unknown>>) ?? {});
  const set = (next: [string, unknown][]) => onChange(next.length === 0 ? undefined : Object.fromEntries(next));
  const options = field.additionalProperties?.enum ?? [];
  return (
    <Grouped {...props}>
      {entries.map(([name, entry], index) => (
        <div key={index} class="item">
          <TextInput
            label={`${label} ${index + 1}: name`}
            field={{ type: 'string' }}
            value={name}
            suggestions={suggestions}
            pointer={pointerTo(pointer, name)}
            errors={errors}
            onChange={(next) => set(entries.with(index, [String(next ?? ''), entry]))}
          />
          <Choice
            label="Level"
            field={{ enum: options }}
            isRequired
            value={entry}
            pointer={`${pointer}//level`}
            errors={errors}
            onChange={(next) => set(entries.with(index, [name, next]))}
          />
          <RemoveButton label={`${label} ${index + 1}`} onClick={() => set(entries.toSpliced(index, 1))} />
        </div>
      ))}
      <AddButton onClick={() => set([...entries, ['', options.at(-1)]])} />
    </Grouped>
  );
}

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <button type="button" class="add" onClick={onClick}>
    <Icon name="plus" /> Add
  </button>
);

const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" class="quiet" aria-label={`Remove ${label}`} onClick={onClick}>
    <Icon name="bin" />
  </button>
);
