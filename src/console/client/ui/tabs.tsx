import { buildHref } from './href.ts';

export interface Tab {
  /** The tab's path, such as `/events/inbox`. */
  readonly path: string;
  readonly label: string;
  /** The number to show after the label, unless it is 0. */
  readonly count?: number | undefined;
}

export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, label: text, count = 0 }) => (
        <a key={path} href={buildHref(path)} aria-current={path === current ? 'page' : undefined}>
          {text}
          {count > 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
