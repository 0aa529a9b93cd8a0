import type { ComponentChildren } from 'preact';
import { buildHref } from './href.ts';

interface Tab {
  readonly path: string;
  readonly label: string;
  readonly note?: ComponentChildren;
}

export const Tabs = ({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ path, label: text, note }) => (
      <a key={path} class="link" href={buildHref(path)} aria-current={path === current ? 'page' : undefined}>
        {text} {note}
      </a>
    ))}
  </nav>
);
