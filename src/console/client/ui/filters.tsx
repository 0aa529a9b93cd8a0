import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ChoiceInput, type InputProps, TextInput } from './inputs.tsx';

type Query = Readonly<Record<string, string | undefined>>;

interface FilterBarProps {
  /** By the names of their query parameters. A filter with options is a list. */
  readonly filters: Readonly<Record<string, Pick<InputProps, 'label' | 'options' | 'suggestions' | 'placeholder'>>>;
  readonly query: Query;
  readonly hrefFor: (query: Query) => string;
  readonly children?: ComponentChildren;
}

/** The filters are in the page's URL, so that a shared link opens the same list. */
export function FilterBar({ filters, query, hrefFor, children }: FilterBarProps) {
  const { route } = useLocation();
  const setFilter = (name: string, value: unknown) => route(hrefFor({ ...query, [name]: value as string | undefined }), true);
  return (
    // This is not a `form` element, because nothing is submitted.
    <search class="row wide filters" aria-label="Filters">
      {Object.entries(filters).map(([name, filter]) =>
        filter.options ? (
          <ChoiceInput key={name} placeholder="All" {...filter} value={query[name]} onChange={(value) => setFilter(name, value)} />
        ) : (
          <TextFilter key={name} {...filter} value={query[name]} onChange={(value) => setFilter(name, value)} />
        ),
      )}
      {children}
    </search>
  );
}

const TYPING_PAUSE_MS = 300;

/** Takes effect while the user types. */
function TextFilter({ value = '', onChange, ...input }: InputProps) {
  const [text, setText] = useState(value);
  const trimmed = String(text ?? '').trim();
  useEffect(() => {
    const timer = trimmed === value ? undefined : setTimeout(() => onChange(trimmed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [trimmed]);
  // A link may have changed the filter.
  useEffect(() => setText((before: unknown) => (String(before ?? '').trim() === value ? before : value)), [value]);
  return <TextInput type="search" {...input} value={text} onChange={setText} />;
}
