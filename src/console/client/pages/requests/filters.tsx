import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, dataOf, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { hrefOf } from '../../ui/href.ts';
import type { RequestFilter } from './filter.ts';

const STATUSES = ['2xx', '3xx', '4xx', '5xx'];

/** The filters of the list. They are in the query of the page, so that its address leads to the same list. */
export function Filters({ filter, path }: { filter: RequestFilter; path: string }) {
  const { route } = useLocation();
  const operations = useResource(() => dataOf(control.GET('/_control/operations')));
  const credentials = useCredentials();
  const set = (name: keyof RequestFilter, value: string) => route(hrefOf(path, { ...filter, [name]: value }), true);
  const statuses = [...new Set([...STATUSES, ...refusalsOf(operations.data).map(({ status }) => String(status))])].sort();
  return (
    // The page has no server that would take the form.
    <search class="filters" aria-label="Filters">
      <Select
        label="Operation"
        value={filter.operation}
        onChange={(value) => set('operation', value)}
        options={[...(operations.data ?? []).map(({ operationId }) => operationId), 'authorize', 'token'].map((id) => [id, id])}
      />
      <Select
        label="Status"
        value={filter.status}
        onChange={(value) => set('status', value)}
        options={statuses.map((status) => [status, status])}
      />
      <Select label="Credential" value={filter.credential} onChange={(value) => set('credential', value)} options={credentials} />
      <RuleInput
        key={filter.rule}
        value={filter.rule ?? ''}
        rules={[...new Set(refusalsOf(operations.data).map(({ rule }) => rule))].sort()}
        onChange={(value) => set('rule', value)}
      />
      {Object.keys(filter).length > 0 && (
        <a class="button" href={hrefOf(path)}>
          Clear
        </a>
      )}
    </search>
  );
}

const refusalsOf = (operations: readonly Schemas['ServiceOperation'][] = []) => operations.flatMap(({ refusals }) => refusals);

function useCredentials(): readonly (readonly [id: string, label: string])[] {
  const loaded = useResource(async () => {
    const list = (collection: 'clients' | 'principals') =>
      dataOf(control.GET('/_control/state/{collection}', { params: { path: { collection } } }));
    const [clients, principals] = await Promise.all([list('clients'), list('principals')]);
    const labelled = (entities: Readonly<Record<string, { readonly id?: string }>>, kind: string) =>
      Object.entries(entities).map(([alias, { id = alias }]) => [id, `${kind} ${alias}`] as const);
    return [...labelled(clients, 'client'), ...labelled(principals, 'principal')];
  });
  return loaded.data ?? [];
}

interface SelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

function Select({ label, value = '', options, onChange }: SelectProps) {
  // A value of the address that is not listed, such as a fingerprint, stays selectable.
  const isListed = value === '' || options.some(([option]) => option === value);
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">All</option>
        {!isListed && <option value={value}>{value}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function RuleInput({ value, rules, onChange }: { value: string; rules: readonly string[]; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  return (
    <label class="field">
      <span>Rule</span>
      <input
        type="search"
        list="rules"
        placeholder="such as users.get.not-found"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
      <datalist id="rules">
        {rules.map((rule) => (
          <option key={rule} value={rule} />
        ))}
      </datalist>
    </label>
  );
}
