import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Method, Status } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { LiveList } from '../../ui/live-list.tsx';
import { EmptyList, ErrorNote, Skeleton } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { useVirtualRows } from '../../ui/virtual-rows.ts';
import { getRule, type RequestFilter } from './filter.ts';
import type { Row, Rows } from './rows.ts';

const ROW_HEIGHT = 40;
/** Older entries are loaded when fewer rows than this remain below the visible rows. */
const MIN_ROWS_BELOW = 60;

interface ListProps {
  readonly from: Rows;
  readonly filter: RequestFilter;
  readonly selected: string | undefined;
}

/** Only the visible rows are in the document. */
export function RequestList({ from, filter, selected }: ListProps) {
  const scroller = useRef<HTMLElement>(null);
  const rows = from.rows.value ?? [];
  const visible = useVirtualRows(scroller, rows.length, ROW_HEIGHT);
  const last = visible.rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last > rows.length - MIN_ROWS_BELOW) from.loadOlder();
  }, [from, rows.length, last]);
  if (from.error.value && from.rows.value === undefined) return <ErrorNote error={from.error.value} />;
  return (
    <LiveList
      label="Requests, newest first"
      scroller={scroller}
      waiting={from.waiting.value.length}
      holdRowsWhileReading={from.holdRowsWhileReading}
    >
      {from.rows.value === undefined ? (
        <Skeleton lines={14} />
      ) : rows.length === 0 ? (
        <EmptyList kind="request" icon="requests" href="/requests" isFiltered={Object.keys(filter).length > 0}>
          Requests appear here as soon as an application sends them. <a href={buildHref('/')}>The overview</a> has a first request to copy.
        </EmptyList>
      ) : (
        <table class="requests" aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Request</th>
              <th scope="col" class="wide-only">
                Reason
              </th>
              <th scope="col" class="right wide-only">
                Duration
              </th>
              <th scope="col" class="right">
                Time
              </th>
            </tr>
          </thead>
          <tbody>
            <Spacer height={visible.before} />
            {visible.rows.map(({ index }) => {
              const row = rows[index];
              // With the index as the key, a new request changes only text, and no elements move.
              return row && <RequestRow key={index} row={row} index={index} filter={filter} selected={selected} />;
            })}
            <Spacer height={visible.after} />
          </tbody>
        </table>
      )}
    </LiveList>
  );
}

const Spacer = ({ height }: { height: number }) => (height > 0 ? <tr class="spacer" style={{ height: `${height}px` }} /> : null);

interface RowProps extends Omit<ListProps, 'from'> {
  readonly row: Row;
  readonly index: number;
}

function RequestRow({ row, index, filter, selected }: RowProps) {
  const { route } = useLocation();
  const { traceId, status, method, path, operationId, durationMs, at } = row;
  const href = buildHref(`/requests/${traceId}`, { ...filter });
  return (
    <tr
      aria-rowindex={index + 2}
      data-selected={selected === traceId}
      onClick={(event) => event.target instanceof HTMLAnchorElement || route(href)}
    >
      <td>
        <Status status={status} />
      </td>
      <td class="request">
        <Method method={method} />{' '}
        <a href={href} aria-current={selected === traceId ? 'true' : undefined} title={operationId}>
          {path}
        </a>
      </td>
      <td class="reason wide-only">{getRule(row) ?? row.problem?.title ?? ''}</td>
      <td class="right num wide-only">{durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms</td>
      <td class="right">
        <TimeText ms={Date.parse(at)} format="time" />
      </td>
    </tr>
  );
}
