import type { ComponentChildren } from 'preact';
import { consolePath } from '../kit/control.ts';
import type { Resource } from '../kit/resource.ts';
import { Icon, type IconName } from './icon.tsx';

/** A page's properties. A page is the default export of its file. */
export interface PageProps {
  readonly params?: Readonly<Record<string, string | undefined>>;
}

export function Page({ title, lead, actions, children }: FramedProps) {
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

interface FramedProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Section({ title, lead, actions, children, class: name = '' }: FramedProps & { readonly class?: string }) {
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

export function EmptyNote({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h3>{title}</h3>
      {children}
    </div>
  );
}

interface EmptyListProps {
  readonly kind: string;
  readonly icon: IconName;
  /** The path of the unfiltered list, such as `/requests`. */
  readonly href: string;
  readonly isFiltered: boolean;
  readonly children: ComponentChildren;
}

export function EmptyList({ kind, icon, href, isFiltered, children }: EmptyListProps) {
  return (
    <EmptyNote icon={icon} title={isFiltered ? `No ${kind} matches these filters` : `No ${kind}s yet`}>
      <p>{isFiltered ? <a href={`${consolePath}${href}`}>Show all {kind}s</a> : children}</p>
    </EmptyNote>
  );
}

export function ErrorNote({ error }: { error: Error }) {
  return (
    <div class="note" data-tone="bad" role="alert">
      <Icon name="alert" />
      <p>{error.message}</p>
    </div>
  );
}

/** @param lines the approximate height of the data */
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
        The console has no page at this address. <a href={`${consolePath}/`}>Open the overview</a>
      </p>
    </Page>
  );
}
