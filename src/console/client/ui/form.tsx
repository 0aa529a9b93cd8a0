import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ControlField, controlTable } from '../../../contract/generated/control-table.ts';
import type { Field } from '../../../contract/generated/entity-forms.ts';
import type { ControlOperationId, OperationResponse, OperationValues } from '../../../control-client/call.ts';
import { call, RefusedError } from '../kit/control.ts';
import { Button } from './button.tsx';
import { capitalize, type InputProps } from './inputs.tsx';
import { ErrorNote } from './page.tsx';
import { appendPointer, SchemaField } from './schema-field.tsx';
import { finishOperation, type Message } from './toast.ts';

export type Members = Readonly<Record<string, unknown>>;
type Description = Partial<Omit<InputProps, 'value' | 'onChange' | 'pointer' | 'errors'>> & { readonly isHidden?: boolean };

interface SharedProps {
  readonly action: string;
  readonly initial?: Members;
  /** Replaces what the schema says about a field, such as its label. */
  readonly describe?: (name: string, values: Members) => Description;
  readonly layout?: 'inline' | 'columns';
  /** Called after the submission, and by the button "Cancel", which only forms with this function have. */
  readonly onClose?: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

interface FormProps extends SharedProps {
  readonly fields: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  readonly buttonClass?: 'primary' | 'danger';
  readonly more?: readonly string[] | undefined;
  /** Called with the values that are not undefined. */
  readonly onSubmit: (values: Members) => Promise<unknown>;
}

/** The kit validates the values. Each error is shown next to the field to which it refers, and the first one gets the focus. */
export function Form({ fields, required = [], more = [], initial = {}, describe, layout, onSubmit, onClose, ...props }: FormProps) {
  const { action, buttonClass = 'primary', children } = props;
  const [draft, setDraft] = useState(initial);
  const [submitted, setSubmitted] = useState(initial);
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const [refusal, setRefusal] = useState<Error>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] :is(input, select, textarea, button)')?.focus();
  }, [errors]);

  async function submitForm(): Promise<void> {
    const missing = required.filter((name) => draft[name] === undefined);
    setRefusal(undefined);
    setSubmitted(draft);
    setErrors(new Map(missing.map((name) => [appendPointer('', name), 'This value is missing.'])));
    if (missing.length > 0) return;
    try {
      await onSubmit(Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)));
      onClose?.();
    } catch (error) {
      const reported = error instanceof RefusedError ? listErrors(error, Object.keys(fields)) : [];
      const isShown = (pointer: string) => Object.keys(fields).some((name) => `${pointer}/`.startsWith(`${appendPointer('', name)}/`));
      const placed = reported.filter(({ pointer }) => isShown(pointer));
      setErrors(new Map(placed.map(({ pointer, message }) => [pointer, formatMessage(message)])));
      if (placed.length === 0) setRefusal(error as Error);
    }
  }

  const showFields = (names: readonly string[]) =>
    names.map((name) => {
      const { isHidden = false, ...description } = describe?.(name, draft) ?? {};
      return (
        isHidden || (
          <SchemaField
            key={name}
            label={formatLabel(name)}
            field={fields[name]}
            value={draft[name]}
            pointer={appendPointer('', name)}
            // An error is about the value that was sent.
            errors={draft[name] === submitted[name] ? errors : undefined}
            isRequired={required.includes(name)}
            onChange={(value) => setDraft((before) => ({ ...before, [name]: value }))}
            {...description}
          />
        )
      );
    });
  const hasHiddenError = more.some((name) => [...errors.keys()].some((pointer) => pointer.startsWith(appendPointer('', name))));
  return (
    <form
      ref={form}
      class={`stack form ${layout ?? ''}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submitForm();
      }}
    >
      {refusal && <ErrorNote error={refusal} />}
      {showFields(Object.keys(fields).filter((name) => !more.includes(name)))}
      {more.length > 0 && layout !== 'inline' && (
        <details open={hasHiddenError || undefined}>
          <summary>More fields</summary>
          <div class="stack form">{showFields(more)}</div>
        </details>
      )}
      {children}
      <div class="row">
        <Button type="submit" class={buttonClass} text={action} />
        {onClose && <Button onClick={onClose} text="Cancel" />}
      </div>
    </form>
  );
}

/** Makes a sentence of a part of one, and names a checkbox instead of a member and its option. */
const formatMessage = (message: string): string =>
  message.replace(/^must /, 'This must ').replace(/set (\w+) \(--[\w-]+\) to true/, (_, name) => `check “${formatLabel(name)}”`);

/** A refusal of a form's only field refers to this field, even if it has no pointer because the value is a part of the path. */
function listErrors({ errors, message, problem }: RefusedError, [name = '', ...others]: readonly string[]): RefusedError['errors'] {
  return errors.length === 0 && others.length === 0 && problem.status < 500 ? [{ pointer: appendPointer('', name), message }] : errors;
}

interface OperationFormProps<Id extends ControlOperationId> extends SharedProps {
  readonly operation: Id;
  readonly fixed?: Partial<OperationValues<Id>>;
  /** The first fields. The others are hidden until the user opens them. */
  readonly first?: readonly string[];
  readonly done?: Message<OperationResponse<Id>>;
  readonly onDone?: (result: OperationResponse<Id>) => void;
}

export function OperationForm<Id extends ControlOperationId>({
  operation,
  fixed = {},
  first,
  done,
  onDone,
  ...props
}: OperationFormProps<Id>) {
  const fields: Readonly<Record<string, ControlField>> = controlTable[operation].fields;
  const names = Object.keys(fields).filter((name) => !(name in fixed));
  const shown = first ?? names;
  return (
    <Form
      {...props}
      fields={Object.fromEntries([...shown, ...names].map((name) => [name, fields[name] ?? {}]))}
      required={names.filter((name) => fields[name]?.isRequired)}
      more={names.filter((name) => !shown.includes(name))}
      onSubmit={async (values) => {
        const result = await call(operation, { ...fixed, ...values } as OperationValues<Id>);
        onDone?.(result);
        await finishOperation(result, done);
      }}
    />
  );
}

/** Returns a member's or collection's label, such as "First name" for `firstName`. */
export function formatLabel(name: string): string {
  return capitalize(
    name
      .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .replaceAll(/\b(id|uri|url)(s?)\b/g, (_, word, s) => word.toUpperCase() + s),
  );
}
