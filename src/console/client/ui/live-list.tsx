import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Resource } from '../kit/resource.ts';
import { Button } from './button.tsx';
import { isPlainKey } from './keys.tsx';
import { Loaded } from './page.tsx';
import { Cells, type Column, TableHead } from './table.tsx';

/** New rows are shown immediately while the list is at most this far from its top. */
const TOP_DISTANCE_PX = 40;
/** The rows above and below the visible rows that are also in the document. */
const OVERSCAN = 12;
/** Older rows are loaded when fewer rows than this remain below the visible rows. */
const MIN_ROWS_BELOW = 60;

interface LiveListProps<Row> {
  readonly label: string;
  readonly from: Resource<readonly Row[]>;
  readonly waiting: number;
  /** Called when the user starts (true) or stops (false) reading. While the user reads, the rows must not move. */
  readonly holdRowsWhileReading: (isReading: boolean) => void;
  readonly loadOlder?: () => void;
  readonly columns: readonly Column<Row>[];
  readonly rowHeight: number;
  readonly hrefFor: (row: Row) => string;
  readonly isSelected: (row: Row) => boolean;
  readonly empty: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Adds no rows while the list is scrolled down or contains the focus. Only the visible rows are in the document. */
export function LiveList<Row>({ label, waiting, holdRowsWhileReading, children, ...props }: LiveListProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const updateHold = () =>
    holdRowsWhileReading(
      (scroller.current?.scrollTop ?? 0) > TOP_DISTANCE_PX || frame.current?.querySelector(':is(a, button):focus-visible') !== null,
    );
  return (
    <div
      class="box list-frame"
      ref={frame}
      onFocusIn={updateHold}
      onFocusOut={({ relatedTarget }) => {
        // Nothing changes if the focus moves within the frame or to another window.
        if (document.hasFocus() && !frame.current?.contains(relatedTarget as Node | null)) updateHold();
      }}
    >
      {waiting > 0 && (
        <Button
          class="primary new-rows"
          onClick={() => {
            scroller.current?.scrollTo({ top: 0 });
            scroller.current?.focus();
            holdRowsWhileReading(false);
          }}
        >
          {waiting} new
        </Button>
      )}
      <section class="list list-scroll" ref={scroller} aria-label={label} tabIndex={-1} onScroll={updateHold}>
        <Loaded from={props.from} empty={props.empty}>
          {(rows) => <VisibleRows {...props} rows={rows} scroller={scroller} />}
        </Loaded>
        {children}
      </section>
    </div>
  );
}

type VisibleRowsProps<Row> = Pick<LiveListProps<Row>, 'columns' | 'rowHeight' | 'hrefFor' | 'isSelected' | 'loadOlder'> & {
  readonly rows: readonly Row[];
  readonly scroller: RefObject<HTMLElement | null>;
};

function VisibleRows<Row>({ rows, scroller, columns, rowHeight, hrefFor, isSelected, loadOlder }: VisibleRowsProps<Row>) {
  const { route } = useLocation();
  const { first, end } = useVisibleRange(scroller, rowHeight, rows.length);
  useEffect(() => {
    if (end > rows.length - MIN_ROWS_BELOW) loadOlder?.();
  }, [loadOlder, rows.length, end]);
  const tabStop = useRovingFocus(scroller, rowHeight, rows.length, rows.findIndex(isSelected));
  return (
    <table aria-rowcount={rows.length + 1}>
      <TableHead columns={columns} />
      <tbody>
        <Spacer height={first * rowHeight} />
        {/* With the index as the key, a new row changes only text, and no elements move. */}
        {rows.slice(first, end).map((row, offset) => {
          const index = first + offset;
          const href = hrefFor(row);
          return (
            <tr
              key={index}
              aria-rowindex={index + 2}
              data-selected={isSelected(row)}
              aria-current={isSelected(row) ? 'true' : undefined}
              style={{ height: `${rowHeight}px` }}
              onClick={(event) => event.target instanceof HTMLAnchorElement || route(href)}
            >
              {/* If the row with the focus is not in the document, the first row gets the focus. */}
              <Cells
                row={row}
                columns={columns}
                link={{ href, tabIndex: index === Math.max(first, Math.min(tabStop, end - 1)) ? 0 : -1 }}
              />
            </tr>
          );
        })}
        <Spacer height={(rows.length - end) * rowHeight} />
      </tbody>
    </table>
  );
}

/** Only one row is a tab stop, because a list has thousands. The arrow keys, `j` and `k`, Page Up, Page Down, Home and End select another. */
function useRovingFocus(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number, selected: number) {
  const [row, setRow] = useState(0);
  const target = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (selected >= 0) setRow(selected);
  }, [selected]);
  const focusTarget = () => {
    const link = scroller.current?.querySelector<HTMLElement>(`tr[aria-rowindex="${(target.current ?? -2) + 2}"] a`);
    if (!link) return;
    target.current = undefined;
    link.focus({ preventScroll: true });
  };
  // The row may be in the document only after the list was scrolled.
  useLayoutEffect(focusTarget);
  const moveFocus = (event: KeyboardEvent) => {
    const [element, focused] = [scroller.current, document.activeElement];
    if (!element || count === 0 || !isPlainKey(event)) return;
    const focusedRow = element.contains(focused) ? focused?.closest('tr')?.ariaRowIndex : undefined;
    // From outside of the list, a key selects the row that is the tab stop. The arrow keys may belong to another part of the page.
    const isOutside = !element.contains(focused) && (focused === document.body || ['j', 'k'].includes(event.key));
    if (!focusedRow && !isOutside && focused !== element) return;
    const [current, by] = focusedRow ? [Number(focusedRow) - 2, 1] : [row, 0];
    const page = Math.floor(element.clientHeight / rowHeight) - 2;
    const keys: Readonly<Record<string, number>> = {
      ...{ ArrowDown: current + by, j: current + by, ArrowUp: current - by, k: current - by },
      ...(focusedRow && { PageDown: current + page, PageUp: current - page, Home: 0, End: count - 1 }),
    };
    const wanted = keys[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(wanted, count - 1));
    target.current = next;
    setRow(next);
    // The heading covers the top of the list.
    const [top, height] = [next * rowHeight, element.clientHeight - (element.querySelector('thead')?.clientHeight ?? 0)];
    element.scrollTop = Math.max(top + rowHeight - height, Math.min(element.scrollTop, top));
    focusTarget();
  };
  useEffect(() => {
    addEventListener('keydown', moveFocus);
    return () => removeEventListener('keydown', moveFocus);
  });
  return row;
}

const Spacer = ({ height }: { height: number }) => (height > 0 ? <tr style={{ height: `${height}px` }} /> : null);

function useVisibleRange(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number) {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = () => {
      setTop(Math.floor(element.scrollTop / rowHeight));
      setHeight(Math.ceil(element.clientHeight / rowHeight));
    };
    const resized = new ResizeObserver(update);
    resized.observe(element);
    element.addEventListener('scroll', update);
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [rowHeight]);
  const first = Math.max(0, Math.min(top, count) - OVERSCAN);
  return { first, end: Math.min(count, top + height + OVERSCAN) };
}
