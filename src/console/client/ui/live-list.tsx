import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';

/** A list that is scrolled down by at most this many pixels shows new entries at once. */
const TOP_DISTANCE_PX = 40;

interface LiveListProps {
  readonly label: string;
  /** The number of new entries that are not listed yet. */
  readonly waiting: number;
  /** Called with true when the user starts to read the list, and with false afterwards. In between, the entries must not move. */
  readonly hold: (held: boolean) => void;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

/** A list that scrolls in a frame. While the list is scrolled down or contains the focus, new entries wait. */
export function LiveList({ label, waiting, hold, scroller, children }: LiveListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const update = () =>
    hold((scroller.current?.scrollTop ?? 0) > TOP_DISTANCE_PX || frame.current?.querySelector(':is(a, button):focus-visible') !== null);
  return (
    <div
      class="list-frame"
      ref={frame}
      onFocusIn={update}
      onFocusOut={({ relatedTarget }) => {
        // The focus may move within the frame, or return from another window.
        if (document.hasFocus() && !frame.current?.contains(relatedTarget as Node | null)) update();
      }}
    >
      {waiting > 0 && (
        <button
          type="button"
          class="primary new-rows"
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 });
            scroller.current?.focus();
            hold(false);
          }}
        >
          {waiting} new
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to scroll the list */}
      <section class="list-scroll" ref={scroller as RefObject<HTMLElement>} aria-label={label} tabIndex={0} onScroll={update}>
        {children}
      </section>
    </div>
  );
}
