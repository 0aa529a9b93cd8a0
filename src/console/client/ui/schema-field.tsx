import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from './button.tsx';
import { CheckboxInput, ChoiceInput, formatDescription, type InputProps, JsonInput, LinesInput, TextInput } from './inputs.tsx';

const POINTER_ESCAPES = { '~': '~0', '/': '~1' } as const;
export const appendPointer = (pointer: string, step: string | number) =>
  `${pointer}/${String(step).replaceAll(/[~/]/g, (letter) => POINTER_ESCAPES[letter as '~'])}`;

/** Shows the errors of the value and its members, unless another input shows them. */
export function SchemaField(props: InputProps) {
  const { field = {}, options } = props;
  if (options || field.enum) return <ChoiceInput {...props} />;
  if (field.type === 'boolean') return <CheckboxInput {...props} />;
  if (field.type === 'array' && field.items?.enum) return <ChoicesField {...props} />;
  if (field.type === 'array' && field.items?.type === 'object') return <ListField {...props} />;
  if (field.type === 'array') return <LinesInput {...props} />;
  if (field.type === 'object' && field.additionalProperties?.type) return <MapField {...props} />;
  if (field.type === 'object' && field.properties) return <ObjectField {...props} />;
  if (field.type === 'object' || field.type === undefined) return <JsonInput {...props} />;
  return <TextInput {...props} />;
}

function FieldGroup({ children, label, field, pointer = '', errors, isRequired }: InputProps & { children: ComponentChildren }) {
  const id = useId();
  const error = errors?.get(pointer);
  return (
    <fieldset class="stack group" data-invalid={error !== undefined} aria-describedby={error && `${id}-error`}>
      <legend>
        {label} {isRequired && <small>required</small>}
      </legend>
      {field?.description && <small>{formatDescription(field.description)}</small>}
      {error && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}

function ChoicesField(props: InputProps) {
  const { field, value, onChange } = props;
  const chosen = (value as string[]) ?? [];
  const options = field?.items?.enum ?? [];
  return (
    <FieldGroup {...props}>
      {options.map((option) => (
        <label key={option} class="row mono">
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

function ObjectField(props: InputProps) {
  const { field, value, onChange, pointer = '', errors } = props;
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <FieldGroup {...props}>
      {Object.entries(field?.properties ?? {}).map(([name, member]) => (
        <SchemaField
          key={name}
          label={name}
          field={member}
          value={members[name]}
          pointer={appendPointer(pointer, name)}
          errors={errors}
          isRequired={field?.required?.includes(name) ?? false}
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

function ListField(props: InputProps) {
  const { field, value, onChange, pointer = '', errors, label } = props;
  const items = (value as unknown[]) ?? [];
  const setItems = (next: unknown[]) => onChange(next.length === 0 ? undefined : next);
  return (
    <FieldGroup {...props}>
      {items.map((item, index) => (
        <Item key={index} label={`${label} ${index + 1}`} onRemove={() => setItems(items.toSpliced(index, 1))}>
          <ObjectField
            label={`${label} ${index + 1}`}
            field={{ ...field?.items, description: '' }}
            value={item}
            pointer={appendPointer(pointer, index)}
            errors={errors}
            onChange={(next) => setItems(items.with(index, next ?? {}))}
          />
        </Item>
      ))}
      <Button class="add" icon="plus" onClick={() => setItems([...items, {}])} text="Add" />
    </FieldGroup>
  );
}

function MapField(props: InputProps) {
  const { field, value, onChange, pointer = '', errors, label, suggestions } = props;
  const entries = Object.entries((value as Readonly<Record<string, unknown>>) ?? {});
  const setEntries = (next: [string, unknown][]) => onChange(next.length === 0 ? undefined : Object.fromEntries(next));
  const levels = field?.additionalProperties?.enum;
  return (
    <FieldGroup {...props}>
      {entries.map(([name, entry], index) => (
        <Item key={index} label={`${label} ${index + 1}`} onRemove={() => setEntries(entries.toSpliced(index, 1))}>
          <TextInput
            label={`${label} ${index + 1}: name`}
            value={name}
            suggestions={suggestions}
            pointer={appendPointer(pointer, name)}
            errors={errors}
            onChange={(next) => setEntries(entries.with(index, [String(next ?? ''), entry]))}
          />
          <SchemaField
            label={levels ? 'Level' : `${label} ${index + 1}: value`}
            field={field?.additionalProperties}
            isRequired
            value={entry}
            onChange={(next) => setEntries(entries.with(index, [name, next]))}
          />
        </Item>
      ))}
      <Button class="add" icon="plus" onClick={() => setEntries([...entries, ['', levels?.at(-1) ?? '']])} text="Add" />
    </FieldGroup>
  );
}

const Item = ({ label, onRemove, children }: { label: string; onRemove: () => void; children: ComponentChildren }) => (
  <div class="item">
    {children}
    <Button class="quiet" icon="bin" label={`Remove ${label}`} onClick={onRemove} />
  </div>
);
