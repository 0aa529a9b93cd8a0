import type { ComponentChildren } from 'preact';
import { consolePath } from '../kit/control.ts';
import type { Resource } from '../kit/resource.ts';
import { Icon } from './icon.tsx';

/** A page's properties. A page is the default export of its file. */
export interface PageProps {
  readonly params?: Readonly<Record<string, string | undefined>>;
}

/**
 * @param path the page's path in the console, such as `/requests`
 * @param query the query parameters, of which undefined and empty ones are omitted
 */
export function buildHref(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const search = new URLSearchParams(given).toString();
  return `${consolePath}${path}${search && `?${search}`}`;
}

/** Returns the query parameters with these names that have a value. */
export const pickQuery = <Name extends string>(query: Readonly<Record<string, string | undefined>>, names: readonly Name[]) =>
  Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))) as { readonly [Each in Name]?: string };

interface FramedProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export const Page = ({ title, lead, actions, children }: FramedProps) => (
  <div class="stack page">
    <header class="row top between page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
    {children}
  </div>
);

export const Section = ({ title, lead, actions, children }: FramedProps) => (
  <section class="stack box card">
    <header class="row between card-head">
      <h2>{title}</h2>
      {actions && <div class="row">{actions}</div>}
    </header>
    {lead && <p class="lead">{lead}</p>}
    {children}
  </section>
);

export const Part = ({ title, actions, label, children }: FramedProps & { readonly label?: string }) => (
  <section class="stack part" aria-label={label}>
    <header class="row">
      <h3>{title}</h3>
      {actions}
    </header>
    {children}
  </section>
);

export const EmptyNote = ({ title, lead, children }: FramedProps) => (
  <div class="stack empty muted">
    <h3>{title}</h3>
    <p>{lead ?? children}</p>
  </div>
);

interface EmptyListProps {
  readonly kind: 'event' | 'request';
  readonly isFiltered: boolean;
  readonly children: ComponentChildren;
}

export const EmptyList = ({ kind, isFiltered, children }: EmptyListProps) => (
  <EmptyNote title={isFiltered ? `No ${kind} matches these filters` : `No ${kind}s yet`}>
    {isFiltered ? <a href={buildHref(`/${kind}s`)}>Show all {kind}s</a> : children}
  </EmptyNote>
);

interface NoteProps {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly role?: 'alert';
  readonly children: ComponentChildren;
}

export const Note = ({ tone, role, children }: NoteProps) => (
  <div class="row nowrap top wide note" data-tone={tone} role={role}>
    <Icon name={tone === 'good' ? 'check' : 'alert'} />
    <div>{children}</div>
  </div>
);

export const ErrorNote = ({ error }: { error: Error }) => (
  <Note tone="bad" role="alert">
    {error.message}
  </Note>
);

interface LoadedProps<Data> {
  readonly from: Resource<Data>;
  readonly empty?: ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
}

export function Loaded<Data>({ from: { data, error }, empty, children }: LoadedProps<Data>) {
  if (data === undefined) return error ? <ErrorNote error={error} /> : <Skeleton />;
  return <>{empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children(data)}</>;
}

interface LoadedLinesProps<Row> extends Pick<LoadedProps<readonly Row[]>, 'from' | 'empty'> {
  readonly line: (row: Row, index: number) => Omit<FramedProps, 'children'>;
}

export const LoadedLines = <Row,>({ line, ...props }: LoadedLinesProps<Row>) => (
  <Loaded {...props}>
    {(rows) => (
      <ul class="lines">
        {rows.map(line).map(({ title, lead, actions }, index) => (
          <li key={index} class="row nowrap">
            <div class="fill">
              {title} <small>{lead}</small>
            </div>
            {actions}
          </li>
        ))}
      </ul>
    )}
  </Loaded>
);

type LoadedSectionProps<Data> = Omit<FramedProps, 'children'> & LoadedProps<Data>;

export const LoadedSection = <Data,>({ from, empty, children, ...section }: LoadedSectionProps<Data>) => (
  <Section {...section}>
    <Loaded from={from} empty={empty}>
      {children}
    </Loaded>
  </Section>
);

export const Skeleton = () => (
  <div class="stack skeleton" aria-hidden="true">
    <span />
    <span />
    <span />
  </div>
);

/** Names and values. Undefined values are omitted. */
export const Facts = ({ of, class: name = '' }: { of: Readonly<Record<string, ComponentChildren>>; class?: string }) => (
  <dl class={`facts ${name}`}>
    {Object.entries(of)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
  </dl>
);

interface Tab {
  readonly path: string;
  readonly label: string;
  readonly note?: ComponentChildren;
}

export const Tabs = ({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) => (
  <nav class="row tabs" aria-label={label}>
    {tabs.map(({ path, label: text, note }) => (
      <a key={path} class="link" href={buildHref(path)} aria-current={path === current ? 'page' : undefined}>
        {text} {note}
      </a>
    ))}
  </nav>
);

export const NotFound = () => (
  <Page title="There is no such page">
    <p>
      The console has no page at this address. <a href={buildHref('/')}>Open the overview</a>
    </p>
  </Page>
);
