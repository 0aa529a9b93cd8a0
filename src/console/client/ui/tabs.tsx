import { hrefOf } from './href.ts';

export interface Tab {
  /** The path of the tab, such as `/events/inbox`. */
  readonly path: string;
  readonly label: string;
  /** A number beside the label. 0 shows nothing. */
  readonly count?: number | undefined;
}

/** Links to the parts of a page. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ path, label: text, count = 0 }) => (
        <a key={path} href={hrefOf(path)} aria-current={path === current ? 'page' : undefined}>
          {text}
          {count > 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}
