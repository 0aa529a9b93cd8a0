import type { ComponentChildren } from 'preact';
import { consolePath } from '../kit/control.ts';
import type { Resource } from '../kit/resource.ts';
import { Icon, type IconName } from './icon.tsx';

/** A page's properties. A page is the default export of its file. */
export interface PageProps {
  readonly params?: Readonly<Record<string, string | undefined>>;
}

interface FramedProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export const Page = ({ title, lead, actions, children }: FramedProps) => (
  <div class="stack page">
    <header class="row between page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
    {children}
  </div>
);

/** @param isTitleHidden whether only screen readers get the title, because a tab above shows the same */
export const Section = ({ title, lead, actions, children, isTitleHidden }: FramedProps & { readonly isTitleHidden?: boolean }) => (
  <section class="stack box card">
    <header class="row between card-head">
      <h2 class={isTitleHidden ? 'visually-hidden' : undefined}>{title}</h2>
      {isTitleHidden && lead && <p class="lead text-2">{lead}</p>}
      {actions && <div class="row">{actions}</div>}
    </header>
    {!isTitleHidden && lead && <p class="lead">{lead}</p>}
    {children}
  </section>
);

/** A section within a card or a detail. */
export const Part = ({ title, actions, label, children }: FramedProps & { readonly label?: string }) => (
  <section class="stack part" aria-label={label}>
    <header class="row">
      <h3>{title}</h3>
      {actions}
    </header>
    {children}
  </section>
);

export const EmptyNote = ({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) => (
  <div class="stack empty">
    <Icon name={icon} />
    <h3>{title}</h3>
    <p>{children}</p>
  </div>
);

interface EmptyListProps {
  readonly kind: string;
  readonly icon: IconName;
  /** The path of the unfiltered list. */
  readonly path: string;
  readonly isFiltered: boolean;
  readonly children: ComponentChildren;
}

export const EmptyList = ({ kind, icon, path, isFiltered, children }: EmptyListProps) => (
  <EmptyNote icon={icon} title={isFiltered ? `No ${kind} matches these filters` : `No ${kind}s yet`}>
    {isFiltered ? <a href={`${consolePath}${path}`}>Show all {kind}s</a> : children}
  </EmptyNote>
);

export const ErrorNote = ({ error }: { error: Error }) => (
  <div class="note" data-tone="bad" role="alert">
    <Icon name="alert" />
    <p>{error.message}</p>
  </div>
);

interface LoadedProps<Data> {
  readonly from: Omit<Resource<Data>, 'reload'>;
  /** The approximate height of the data. */
  readonly lines?: number;
  /** Shown instead of an empty list. */
  readonly empty?: ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
}

export function Loaded<Data>({ from: { data, error }, lines = 3, empty, children }: LoadedProps<Data>) {
  if (data === undefined) return error ? <ErrorNote error={error} /> : <Skeleton lines={lines} />;
  return <>{empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children(data)}</>;
}

export const Skeleton = ({ lines }: { lines: number }) => (
  <div class="stack skeleton" aria-hidden="true">
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} />
    ))}
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

export const NotFound = () => (
  <Page title="There is no such page">
    <p>
      The console has no page at this address. <a href={`${consolePath}/`}>Open the overview</a>
    </p>
  </Page>
);
