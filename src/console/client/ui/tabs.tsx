import { buildHref } from './href.ts';

export interface Tab {
  readonly path: string;
  readonly label: string;
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
