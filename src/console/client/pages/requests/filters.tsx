import { useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { buildHref } from '../../ui/href.ts';
import type { RequestFilter } from './filter.ts';

const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'];

/** The filters are in the page's URL, so that a shared link opens the same list. */
export function Filters({ filter, path }: { filter: RequestFilter; path: string }) {
  const { route } = useLocation();
  const operations = useResource(() => getResponseData(control.GET('/_control/operations')));
  const setFilter = (name: keyof RequestFilter, value: string) => route(buildHref(path, { ...filter, [name]: value }), true);
  const statuses = [...new Set([...STATUS_CLASSES, ...listRefusals(operations.data).map(({ status }) => String(status))])].sort();
  return (
    // This is not a `form` element, because nothing is submitted.
    <search class="filters" aria-label="Filters">
      <Select
        label="Operation"
        value={filter.operation}
        onChange={(value) => setFilter('operation', value)}
        options={[...(operations.data ?? []).map(({ operationId }) => operationId), 'authorize', 'token'].map((id) => [id, id])}
      />
      <Select
        label="Status"
        value={filter.status}
        onChange={(value) => setFilter('status', value)}
        options={statuses.map((status) => [status, status])}
      />
      <TextFilter
        key={`credential ${filter.credential}`}
        label="Credential"
        value={filter.credential}
        placeholder="client or principal"
        suggestions={findCredentials}
        onChange={(value) => setFilter('credential', value)}
      />
      <TextFilter
        key={`rule ${filter.rule}`}
        label="Rule"
        value={filter.rule}
        placeholder="such as users.get.not-found"
        suggestions={async () => [...new Set(listRefusals(operations.data).map(({ rule }) => rule))].sort()}
        onChange={(value) => setFilter('rule', value)}
      />
      {Object.keys(filter).length > 0 && (
        <a class="button" href={buildHref(path)}>
          Clear
        </a>
      )}
    </search>
  );
}

const listRefusals = (operations: readonly Schemas['ServiceOperation'][] = []) => operations.flatMap(({ refusals }) => refusals);

const MAX_SUGGESTIONS = 10;

async function findCredentials(text: string): Promise<readonly string[]> {
  const query = { limit: MAX_SUGGESTIONS, ...(text !== '' && { search: text }) };
  const findAliases = (collection: 'clients' | 'principals') =>
    getResponseData(control.GET('/_control/state/{collection}', { params: { path: { collection }, query } }));
  return (await Promise.all([findAliases('clients'), findAliases('principals')])).flatMap((entities) => Object.keys(entities));
}

interface SelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}

function Select({ label, value = '', options, onChange }: SelectProps) {
  // Add an option for a value that came from the URL, such as a fingerprint.
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

interface TextFilterProps extends Omit<SelectProps, 'options'> {
  readonly placeholder: string;
  readonly suggestions: (text: string) => Promise<readonly string[]>;
}

function TextFilter({ label, value = '', placeholder, suggestions, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  const [suggested, setSuggested] = useState<readonly string[]>([]);
  const list = useId();
  // The input also works without suggestions.
  const loadSuggestions = (typed: string) => void suggestions(typed).then(setSuggested, () => {});
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        list={list}
        placeholder={placeholder}
        value={text}
        onFocus={() => loadSuggestions(text)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          loadSuggestions(currentTarget.value);
        }}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
      />
      <datalist id={list}>
        {suggested.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
}
