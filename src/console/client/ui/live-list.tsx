import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';

/** New entries are shown immediately while the list is at most this far from its top. */
const TOP_DISTANCE_PX = 40;

interface LiveListProps {
  readonly label: string;
  readonly waiting: number;
  /** Called when the user starts (true) or stops (false) reading. While the user reads, the entries must not move. */
  readonly holdRowsWhileReading: (isReading: boolean) => void;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

/** Adds no entries while the list is scrolled down or contains the focus. */
export function LiveList({ label, waiting, holdRowsWhileReading, scroller, children }: LiveListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const updateHold = () =>
    holdRowsWhileReading(
      (scroller.current?.scrollTop ?? 0) > TOP_DISTANCE_PX || frame.current?.querySelector(':is(a, button):focus-visible') !== null,
    );
  return (
    <div
      class="list-frame"
      ref={frame}
      onFocusIn={updateHold}
      onFocusOut={({ relatedTarget }) => {
        // Nothing changes if the focus moves within the frame or to another window.
        if (document.hasFocus() && !frame.current?.contains(relatedTarget as Node | null)) updateHold();
      }}
    >
      {waiting > 0 && (
        <button
          type="button"
          class="primary new-rows"
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 });
            scroller.current?.focus();
            holdRowsWhileReading(false);
          }}
        >
          {waiting} new
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to scroll the list */}
      <section class="list-scroll" ref={scroller as RefObject<HTMLElement>} aria-label={label} tabIndex={0} onScroll={updateHold}>
        {children}
      </section>
    </div>
  );
}
