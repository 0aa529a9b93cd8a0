import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ChoiceInput, type InputProps, TextInput } from './inputs.tsx';

type Query = Readonly<Record<string, string | undefined>>;

interface FilterBarProps {
  /** By the names of their query parameters. A filter with options is a list. */
  readonly filters: Readonly<Record<string, Pick<InputProps, 'label' | 'options' | 'suggestions' | 'placeholder'>>>;
  readonly query: Query;
  /** Returns the URL of the page with the given filters. */
  readonly hrefFor: (query: Query) => string;
  /** Whether a text takes effect while the user types. */
  readonly isImmediate?: boolean;
  readonly children?: ComponentChildren;
}

/** The filters are in the page's URL, so that a shared link opens the same list. */
export function FilterBar({ filters, query, hrefFor, isImmediate = false, children }: FilterBarProps) {
  const { route } = useLocation();
  const setFilter = (name: string, value: unknown) => route(hrefFor({ ...query, [name]: value as string | undefined }), true);
  return (
    // This is not a `form` element, because nothing is submitted.
    <search class="row wide filters" aria-label="Filters">
      {Object.entries(filters).map(([name, filter]) =>
        filter.options ? (
          <ChoiceInput key={name} placeholder="All" {...filter} value={query[name]} onChange={(value) => setFilter(name, value)} />
        ) : (
          <TextFilter
            // Typing must not create another input, which would not have the focus.
            key={isImmediate ? name : `${name} ${query[name]}`}
            {...filter}
            value={query[name]}
            isImmediate={isImmediate}
            onChange={(value) => setFilter(name, value)}
          />
        ),
      )}
      {children}
    </search>
  );
}

const TYPING_PAUSE_MS = 300;

function TextFilter({ value, isImmediate, onChange, ...input }: InputProps & { readonly isImmediate: boolean }) {
  const [text, setText] = useState(value);
  useEffect(() => {
    const timer = isImmediate && text !== value ? setTimeout(() => onChange(text), TYPING_PAUSE_MS) : undefined;
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div onChange={() => onChange(String(text ?? '').trim())}>
      <TextInput type="search" {...input} value={text} onChange={setText} />
    </div>
  );
}
