import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { buildHref } from './href.ts';

interface Tab {
  readonly path: string;
  readonly label: string;
  readonly note?: ComponentChildren;
}

export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  const nav = useRef<HTMLElement>(null);
  const shown = useRef('');
  // On a narrow screen, the current tab may be outside the visible part, also after loaded notes have made the tabs wider.
  useEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>('[aria-current]');
    const state = `${current} ${nav.current?.scrollWidth}`;
    if (nav.current && tab && shown.current !== state)
      nav.current.scrollLeft = tab.offsetLeft - (nav.current.clientWidth - tab.clientWidth) / 2;
    shown.current = state;
  });
  return (
    <nav class="tabs" aria-label={label} ref={nav}>
      {tabs.map(({ path, label: text, note }) => (
        <a key={path} class="link" href={buildHref(path)} aria-current={path === current ? 'page' : undefined}>
          {text} {note}
        </a>
      ))}
    </nav>
  );
}
