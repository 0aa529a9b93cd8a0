import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';

/** A list at most this far from its top, in pixels, shows new entries as they arrive. */
const TOP = 40;

interface LiveListProps {
  readonly label: string;
  /** The number of new entries that the list does not show yet. */
  readonly waiting: number;
  /** Called with true when somebody begins to read the list, so that no entry moves away from a reader, and with false at the end. */
  readonly hold: (held: boolean) => void;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

/** A list that scrolls in a frame. New entries wait while it is scrolled, and while the keyboard has the focus in it. */
export function LiveList({ label, waiting, hold, scroller, children }: LiveListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const update = () =>
    hold((scroller.current?.scrollTop ?? 0) > TOP || frame.current?.querySelector(':is(a, button):focus-visible') !== null);
  return (
    <div
      class="list-frame"
      ref={frame}
      onFocusIn={update}
      onFocusOut={({ relatedTarget }) => {
        // The focus may move within the frame, or come back when another window is closed.
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
