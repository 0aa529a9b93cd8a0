import { elementScroll, observeElementOffset, observeElementRect, type VirtualItem, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The visible rows of a long list. `before` and `after` are the total heights of the rows above and below them, in pixels. */
export interface VisibleRows {
  readonly rows: readonly VirtualItem[];
  readonly before: number;
  readonly after: number;
}

/** @param height each row's height, in pixels */
export function useVirtualRows(scroller: RefObject<HTMLElement | null>, count: number, height: number): VisibleRows {
  const [, update] = useState({});
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => update({}),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const rows = virtualizer.getVirtualItems();
  return { rows, before: rows[0]?.start ?? 0, after: virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0) };
}
