import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Field } from '../../../contract/generated/entity-forms.ts';

export interface FieldProps {
  readonly label: string;
  readonly field: Field;
  readonly value: unknown;
  /** Called with the new value, or with undefined if there is none. */
  readonly onChange: (value: unknown) => void;
  /** The JSON pointer by which error messages refer to the value. */
  readonly pointer: string;
  readonly errors: ReadonlyMap<string, string>;
  readonly isRequired?: boolean;
  /** Returns suggestions for the value, or for a map's keys. */
  readonly suggestions?: ((text: string) => Promise<readonly string[]>) | undefined;
}

function findError({ pointer, errors }: FieldProps): string | undefined {
  return errors.get(pointer) ?? [...errors].find(([at]) => at.startsWith(`${pointer}/`))?.[1];
}

interface InputIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
}

function LabelledInput({ children, ...props }: Omit<FieldProps, 'children'> & { children: (ids: InputIds) => ComponentChildren }) {
  const { label, field, isRequired = false } = props;
  const id = useId();
  const error = findError(props);
  const described = [field.description && `${id}-note`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>
        {label} {isRequired && <small>required</small>}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error !== undefined, 'aria-required': isRequired })}
      {field.description && <small id={`${id}-note`}>{field.description}</small>}
      {error && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

export function TextInput(props: FieldProps) {
  const { field, value, onChange, suggestions } = props;
  const isNumber = field.type === 'integer';
  return (
    <LabelledInput {...props}>
      {({ id, ...aria }) => (
        <>
          <input
            id={id}
            {...aria}
            autocomplete="off"
            inputMode={isNumber ? 'numeric' : undefined}
            list={suggestions && `${id}-names`}
            value={String(value ?? '')}
            placeholder={field.default === undefined ? undefined : String(field.default)}
            onInput={({ currentTarget: { value: text } }) => {
              if (suggestions) void showSuggestions(`${id}-names`, text, suggestions);
              onChange(text === '' ? undefined : isNumber && /^\d+$/.test(text) ? Number(text) : text);
            }}
            onFocus={({ currentTarget: { value: text } }) => suggestions && void showSuggestions(`${id}-names`, text, suggestions)}
          />
          {suggestions && <datalist id={`${id}-names`} />}
        </>
      )}
    </LabelledInput>
  );
}

/** Ignores errors, because the input also works without suggestions. */
async function showSuggestions(id: string, text: string, suggestions: NonNullable<FieldProps['suggestions']>): Promise<void> {
  const names = await suggestions(text).catch(() => undefined);
  const options = names?.map((name) => Object.assign(document.createElement('option'), { value: name }));
  if (options) document.getElementById(id)?.replaceChildren(...options);
}

export function ChoiceInput(props: FieldProps) {
  const { field, value, onChange, isRequired } = props;
  const standard = field.default === undefined ? '' : ` (${field.default})`;
  return (
    <LabelledInput {...props}>
      {(ids) => (
        <select {...ids} value={String(value ?? '')} onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}>
          <option value="">{isRequired ? 'Select …' : `Default${standard}`}</option>
          {field.enum?.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      )}
    </LabelledInput>
  );
}

export function CheckboxInput(props: FieldProps) {
  const { value, onChange } = props;
  return (
    <LabelledInput {...props}>
      {(ids) => (
        <input
          type="checkbox"
          {...ids}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
        />
      )}
    </LabelledInput>
  );
}

export function LinesInput(props: FieldProps) {
  const { value, onChange } = props;
  const splitLines = (text: string) => (text === '' ? undefined : text.split('\n'));
  return (
    <LabelledInput {...props} field={{ ...props.field, description: `${props.field.description ?? ''} One per line.`.trim() }}>
      {(ids) => (
        <textarea
          {...ids}
          rows={3}
          value={((value as string[]) ?? []).join('\n')}
          onInput={({ currentTarget }) => onChange(splitLines(currentTarget.value))}
        />
      )}
    </LabelledInput>
  );
}

/** If the text is not valid JSON, it is sent as a string, so that the kit reports the error. */
export function JsonInput(props: FieldProps) {
  const { value, onChange } = props;
  function parseJson(text: string): unknown {
    try {
      return text.trim() === '' ? undefined : JSON.parse(text);
    } catch {
      return text;
    }
  }
  return (
    <LabelledInput {...props} field={{ ...props.field, description: `${props.field.description ?? ''} As JSON.`.trim() }}>
      {(ids) => (
        <textarea
          {...ids}
          rows={4}
          defaultValue={value === undefined ? '' : JSON.stringify(value, null, 2)}
          onInput={({ currentTarget }) => onChange(parseJson(currentTarget.value))}
        />
      )}
    </LabelledInput>
  );
}
