import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Field } from '../../../contract/generated/entity-forms.ts';

/** A value, with its label if they differ. */
type Option = string | readonly [value: string, label: string];

export interface InputProps {
  readonly label: string;
  readonly value: unknown;
  /** Called with the new value, or with undefined if there is none. */
  readonly onChange: (value: unknown) => void;
  readonly field?: Field | undefined;
  /** The JSON pointer by which error messages refer to the value. */
  readonly pointer?: string;
  readonly errors?: ReadonlyMap<string, string> | undefined;
  readonly isRequired?: boolean;
  /** The choices, if the schema does not list them. */
  readonly options?: readonly Option[] | undefined;
  /** Returns suggestions for the value, or for a map's keys. */
  readonly suggestions?: ((text: string) => Promise<readonly Option[]>) | undefined;
  readonly placeholder?: string;
  readonly type?: 'search' | 'password';
  readonly rows?: number;
}

function findError({ pointer, errors = new Map() }: InputProps): string | undefined {
  if (pointer === undefined) return undefined;
  return errors.get(pointer) ?? [...errors].find(([at]) => at.startsWith(`${pointer}/`))?.[1];
}

interface InputIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
}

function LabelledInput({ children, ...props }: InputProps & { children: (ids: InputIds) => ComponentChildren }) {
  const { label, field: { description } = {}, isRequired = false } = props;
  const id = useId();
  const error = findError(props);
  return (
    <div class="stack tight field">
      <label for={id}>
        {label} {isRequired && <small>required</small>}
      </label>
      {children({
        id,
        'aria-describedby': description || error ? `${id}-note` : undefined,
        'aria-invalid': error !== undefined,
        'aria-required': isRequired,
      })}
      {/* An error is in the place of the description, so that it moves nothing. */}
      {error ? (
        <p id={`${id}-note`} class="field-error">
          {error}
        </p>
      ) : (
        description && <small id={`${id}-note`}>{formatDescription(description)}</small>
      )}
    </div>
  );
}

/** A description in a schema has its code in backticks. */
export const formatDescription = (text: string): ComponentChildren =>
  text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>));

export function TextInput(props: InputProps) {
  const { field = {}, value, onChange, suggestions, placeholder = field.default?.toString(), type, rows } = props;
  const isNumber = field.type === 'integer' || field.type === 'number';
  const parse = (text: string) => (text === '' ? undefined : isNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
  return (
    <LabelledInput {...props}>
      {({ id, ...aria }) => {
        const attributes = { id, ...aria, value: String(value ?? ''), placeholder, spellcheck: false };
        if (rows !== undefined)
          return <textarea {...attributes} rows={rows} onInput={({ currentTarget }) => onChange(parse(currentTarget.value))} />;
        const suggest = (text: string) => suggestions && void showSuggestions(`${id}-names`, text, suggestions);
        return (
          <>
            <input
              {...attributes}
              autocomplete="off"
              inputMode={isNumber ? 'decimal' : undefined}
              // The types allow no list for every type of input.
              {...({ type, list: suggestions && `${id}-names` } as object)}
              onInput={({ currentTarget: { value: text } }) => {
                suggest(text);
                onChange(parse(text));
              }}
              onFocus={({ currentTarget }) => suggest(currentTarget.value)}
            />
            {suggestions && <datalist id={`${id}-names`} />}
          </>
        );
      }}
    </LabelledInput>
  );
}

/** Ignores errors, because the input also works without suggestions. */
async function showSuggestions(id: string, text: string, suggestions: NonNullable<InputProps['suggestions']>): Promise<void> {
  const names = await suggestions(text).catch(() => undefined);
  const options = names?.map((name) => {
    const [value, label] = typeof name === 'string' ? [name, name] : name;
    return Object.assign(document.createElement('option'), { value, label });
  });
  if (options) document.getElementById(id)?.replaceChildren(...options);
}

export function ChoiceInput(props: InputProps) {
  const { field = {}, value, onChange, isRequired, options = field.enum ?? [], placeholder } = props;
  const standard = field.default === undefined ? '' : ` (${field.default})`;
  const pairs = options.map((option) => (typeof option === 'string' ? [option, option] : option));
  const chosen = String(value ?? '');
  return (
    <LabelledInput {...props} field={describeChoice(field, chosen)}>
      {(ids) => (
        <select {...ids} value={chosen} onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}>
          <option value="">{placeholder ?? (isRequired ? 'Select …' : `Default${standard}`)}</option>
          {/* A value from the URL, such as a fingerprint, may not be one of the options. */}
          {chosen !== '' && !pairs.some(([option]) => option === chosen) && <option value={chosen}>{chosen}</option>}
          {pairs.map(([option, label]) => (
            <option key={option} value={option}>
              {label}
            </option>
          ))}
        </select>
      )}
    </LabelledInput>
  );
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Of a list of the choices in the description, keeps only the chosen one. */
function describeChoice(field: Field, chosen: string): Field {
  const [text = '', ...choices] = (field.description ?? '').split(/\n *- /);
  if (choices.length === 0) return field;
  return { ...field, description: capitalize(choices.find((each) => each.startsWith(`\`${chosen}\``))?.replace(/^\S+: /, '') ?? text) };
}

export const CheckboxInput = (props: InputProps) => (
  <LabelledInput {...props}>
    {(ids) => (
      <input
        type="checkbox"
        {...ids}
        checked={props.value === true}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked || undefined)}
      />
    )}
  </LabelledInput>
);

const addNote = (field: Field = {}, note: string): Field => ({ ...field, description: `${field.description ?? ''} ${note}`.trim() });

export const LinesInput = ({ value, field, onChange, ...props }: InputProps) => (
  <TextInput
    {...props}
    field={addNote({ ...field, type: 'string' }, 'One per line.')}
    rows={3}
    value={((value as string[]) ?? []).join('\n')}
    onChange={(text) => onChange((text as string | undefined)?.split('\n'))}
  />
);

/** If the text is not valid JSON, it is sent as a string, so that the kit reports the error. */
export function JsonInput({ value, field, onChange, ...props }: InputProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  function change(changed: unknown): void {
    const next = String(changed ?? '');
    setText(next);
    onChange(parseJson(next));
  }
  return <TextInput {...props} field={addNote({ ...field, type: 'string' }, 'As JSON.')} rows={4} value={text} onChange={change} />;
}

function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
