import type { ComponentChildren } from 'preact';
import { consolePath } from '../kit/control.ts';
import type { Resource } from '../kit/resource.ts';
import { Icon, type IconName } from './icon.tsx';

/** What every page gets from the router. A page is the default export of its file. */
export interface PageProps {
  readonly params?: Readonly<Record<string, string | undefined>>;
}

/** The frame of a page: its only h1, a sentence about it, and its main actions. */
export function Page({ title, lead, actions, children }: Framed) {
  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface Framed {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A part of a page, on a surface of its own. */
export function Section({ title, lead, actions, children, class: name = '' }: Framed & { readonly class?: string }) {
  return (
    <section class={`card ${name}`}>
      <header class="card-head">
        <h2>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {lead && <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/** Takes the place of a list without entries. The text says what fills the list. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h3>{title}</h3>
      {children}
    </div>
  );
}

interface EmptyListProps {
  /** What the list has, such as request. */
  readonly of: string;
  readonly icon: IconName;
  /** The page with all entries, such as `/requests`. */
  readonly href: string;
  readonly isFiltered: boolean;
  /** What fills the list. */
  readonly children: ComponentChildren;
}

/** Takes the place of a list whose filters match nothing, or that nothing has filled yet. */
export function EmptyList({ of: what, icon, href, isFiltered, children }: EmptyListProps) {
  return (
    <Empty icon={icon} title={isFiltered ? `No ${what} matches these filters` : `No ${what}s yet`}>
      <p>{isFiltered ? <a href={`${consolePath}${href}`}>Show all {what}s</a> : children}</p>
    </Empty>
  );
}

/** Shows an error of the kit: what it refused, and why. */
export function ErrorNote({ error }: { error: Error }) {
  return (
    <div class="note" data-tone="bad" role="alert">
      <Icon name="alert" />
      <p>{error.message}</p>
    </div>
  );
}

/** Shows the data of a resource, or its error, or lines in the place of the data. @param lines about as many lines as the data takes */
export function Loaded<Data>({ from, lines = 3, children }: LoadedProps<Data>) {
  if (from.data !== undefined) return <>{children(from.data)}</>;
  return from.error ? <ErrorNote error={from.error} /> : <Skeleton lines={lines} />;
}

interface LoadedProps<Data> {
  readonly from: Resource<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ComponentChildren;
}

export function Skeleton({ lines }: { lines: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

/** Takes the place of a page while its code is loaded. */
export function SkeletonPage() {
  return (
    <div class="page skeleton-page" aria-hidden="true">
      <Skeleton lines={12} />
    </div>
  );
}

export function NotFound() {
  return (
    <Page title="There is no such page">
      <p>
        The address leads to no page of the console. <a href={`${consolePath}/`}>Open the overview</a>
      </p>
    </Page>
  );
}
