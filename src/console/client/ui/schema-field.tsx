import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { CheckboxInput, ChoiceInput, type FieldProps, JsonInput, LinesInput, TextInput } from './schema-inputs.tsx';

const POINTER_ESCAPES = { '~': '~0', '/': '~1' } as const;
export const appendPointer = (pointer: string, step: string | number) =>
  `${pointer}/${String(step).replaceAll(/[~/]/g, (letter) => POINTER_ESCAPES[letter as '~'])}`;

/** Shows the errors of the value and its members, unless another input shows them. */
export function SchemaField(props: FieldProps) {
  const { field } = props;
  if (field.enum) return <ChoiceInput {...props} />;
  if (field.type === 'boolean') return <CheckboxInput {...props} />;
  if (field.type === 'array' && field.items?.enum) return <ChoicesField {...props} />;
  if (field.type === 'array' && field.items?.type === 'object') return <ListField {...props} />;
  if (field.type === 'array') return <LinesInput {...props} />;
  if (field.type === 'object' && field.additionalProperties) return <MapField {...props} />;
  if (field.type === 'object' && field.properties) return <ObjectField {...props} />;
  if (field.type === 'object') return <JsonInput {...props} />;
  return <TextInput {...props} />;
}

function FieldGroup({ children, ...props }: Omit<FieldProps, 'children'> & { children: ComponentChildren }) {
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

function ChoicesField(props: FieldProps) {
  const { field, value, onChange } = props;
  const chosen = (value as string[]) ?? [];
  const options = field.items?.enum ?? [];
  return (
    <FieldGroup {...props}>
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
    </FieldGroup>
  );
}

function ObjectField(props: FieldProps) {
  const { field, value, onChange, pointer, errors } = props;
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <FieldGroup {...props}>
      {Object.entries(field.properties ?? {}).map(([name, member]) => (
        <SchemaField
          key={name}
          label={name}
          field={member}
          value={members[name]}
          pointer={appendPointer(pointer, name)}
          errors={errors}
          isRequired={field.required?.includes(name) ?? false}
          onChange={(next) => onChange(withMember(members, name, next))}
        />
      ))}
    </FieldGroup>
  );
}

function withMember(members: Readonly<Record<string, unknown>>, name: string, value: unknown) {
  const { [name]: _, ...others } = members;
  const next = value === undefined ? others : { ...members, [name]: value };
  return Object.keys(next).length === 0 ? undefined : next;
}

function ListField(props: FieldProps) {
  const { field, value, onChange, pointer, errors, label } = props;
  const items = (value as unknown[]) ?? [];
  const setItems = (next: unknown[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <FieldGroup {...props}>
      {items.map((item, index) => (
        <div key={index} class="item">
          <ObjectField
            label={`${label} ${index + 1}`}
            field={{ ...field.items, description: '' }}
            value={item}
            pointer={appendPointer(pointer, index)}
            errors={errors}
            onChange={(next) => setItems(items.with(index, next ?? {}))}
          />
          <RemoveButton label={`${label} ${index + 1}`} onClick={() => setItems(items.toSpliced(index, 1))} />
        </div>
      ))}
      <AddButton onClick={() => setItems([...items, {}])} />
    </FieldGroup>
  );
}

function MapField(props: FieldProps) {
  const { field, value, onChange, pointer, errors, label, suggestions } = props;
  const entries = Object.entries((value as Readonly<Record<string, unknown>>) ?? {});
  const setEntries = (next: [string, unknown][]) => onChange(next.length === 0 ? undefined : Object.fromEntries(next));
  const options = field.additionalProperties?.enum ?? [];
  return (
    <FieldGroup {...props}>
      {entries.map(([name, entry], index) => (
        <div key={index} class="item">
          <TextInput
            label={`${label} ${index + 1}: name`}
            field={{ type: 'string' }}
            value={name}
            suggestions={suggestions}
            pointer={appendPointer(pointer, name)}
            errors={errors}
            onChange={(next) => setEntries(entries.with(index, [String(next ?? ''), entry]))}
          />
          <ChoiceInput
            label="Level"
            field={{ enum: options }}
            isRequired
            value={entry}
            pointer={`${pointer}//level`}
            errors={errors}
            onChange={(next) => setEntries(entries.with(index, [name, next]))}
          />
          <RemoveButton label={`${label} ${index + 1}`} onClick={() => setEntries(entries.toSpliced(index, 1))} />
        </div>
      ))}
      <AddButton onClick={() => setEntries([...entries, ['', options.at(-1)]])} />
    </FieldGroup>
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
