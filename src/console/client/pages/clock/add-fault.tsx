import { useState } from 'preact/hooks';
import { control, getResponseData, RefusedError, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { refreshKit } from '../../kit/state.ts';
import { Loaded, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toast.tsx';
import { listChoices } from './choices.ts';

type Operation = Schemas['ServiceOperation'];

export function AddFault() {
  const operations = useResource(() => getResponseData(control.GET('/_control/operations')));
  return (
    <Section title="Add a fault" lead="The specification documents the problems, except those whose status is marked as undocumented.">
      <Loaded from={operations} lines={6}>
        {(list) => <FaultForm operations={list} />}
      </Loaded>
    </Section>
  );
}

function FaultForm({ operations }: { operations: readonly Operation[] }) {
  const [operationId, setOperation] = useState('');
  const [choiceId, setChoice] = useState('');
  const [error, setError] = useState<Schemas['Problem']>();
  const operation = operations.find((each) => each.operationId === operationId);
  const groups = listChoices(operation);
  const choices = groups.flatMap(([, list]) => list);
  const choice = choices.find(({ id }) => id === choiceId) ?? choices[0];
  async function addFault(form: HTMLFormElement) {
    const data = new FormData(form);
    const readNumber = (name: string) => {
      const text = String(data.get(name) ?? '').trim();
      return text === '' ? undefined : Number(text);
    };
    const percent = readNumber('percent');
    const members = {
      times: readNumber('times'),
      after: readNumber('after'),
      latencyMs: readNumber('latencyMs'),
      probability: percent === undefined ? undefined : percent / 100,
    };
    // JSON.stringify omits undefined members.
    const body = { ...choice?.request, ...(operation && { operation: operationId }), ...members } as Schemas['FaultRequest'];
    try {
      const fault = await getResponseData(control.POST('/_control/faults', { body }));
      setError(undefined);
      showToast(`The fault ${fault.id} is active.`);
      await refreshKit();
    } catch (failure) {
      if (failure instanceof RefusedError) setError(failure.problem);
      else showToast((failure as Error).message, 'bad');
    }
  }
  return (
    <form
      class="form fault-form"
      onSubmit={(event) => {
        event.preventDefault();
        void addFault(event.currentTarget);
      }}
    >
      <label class="field">
        <span>Operation</span>
        <select value={operationId} onChange={(event) => setOperation(event.currentTarget.value)}>
          <option value="">Every operation</option>
          {operations.map(({ operationId: id, method, path }) => (
            <option key={id} value={id}>
              {id} – {method} {path}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Failure</span>
        <select value={choice?.id} onChange={(event) => setChoice(event.currentTarget.value)}>
          {groups.map(([label, list]) => (
            <optgroup key={label} label={label}>
              {list.map(({ id, label: text }) => (
                <option key={id} value={id}>
                  {text}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <small>{choice?.help}</small>
      </label>
      <div class="numbers">
        {choice?.request.fault === 'latency' && <NumberField name="latencyMs" label="Latency in ms" value={500} problem={error} />}
        <NumberField name="times" label="Times" help="no limit if empty" problem={error} />
        <NumberField name="after" label="After" help="requests to let through first" problem={error} />
        <NumberField name="percent" label="Percent" help="of the requests; leave empty for all" problem={error} member="probability" />
      </div>
      {error && (
        <p class="field-error" role="alert">
          {error.detail}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary">
          Add the fault
        </button>
      </div>
    </form>
  );
}

interface NumberFieldProps {
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly value?: number;
  readonly problem: Schemas['Problem'] | undefined;
  /** The request body member that this field sets. The default is `name`. */
  readonly member?: string;
}

function NumberField({ name, label, help, value, problem, member = name }: NumberFieldProps) {
  const isInvalid = problem?.errors?.some(({ pointer }) => pointer === `/${member}`) ?? false;
  return (
    <label class="field">
      <span>{label}</span>
      <input name={name} inputMode="decimal" defaultValue={value?.toString()} aria-invalid={isInvalid} />
      {help && <small>{help}</small>}
    </label>
  );
}
