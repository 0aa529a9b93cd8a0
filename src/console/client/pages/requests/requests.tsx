import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../../kit/control.ts';
import { suggestNames } from '../../kit/names.ts';
import { useResource } from '../../kit/resource.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { FilterBar } from '../../ui/filters.tsx';
import { LiveList } from '../../ui/live-list.tsx';
import { buildHref, EmptyList, Page, type PageProps, pickQuery } from '../../ui/page.tsx';
import type { Column, RowLink } from '../../ui/table.tsx';
import { formatDuration, formatPath, isNarrow, Method, Status, TimeText } from '../../ui/values.tsx';
import { RequestDetail } from './detail.tsx';
import { ExplanationReason } from './explanation.tsx';
import { filterNames, followRows, type RequestFilter, type Row } from './rows.ts';

const ROW_HEIGHT_PX = isNarrow ? 56 : 40;
const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'];

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Status', class: 'short', cell: ({ status }) => <Status status={status} /> },
  { name: 'Request', cell: (row, link) => <RequestLine {...row} link={link} /> },
  { name: 'Reason', class: 'muted long wide-only', cell: formatReason },
  { name: 'Duration', class: 'right muted medium wide-only', cell: ({ durationMs }) => formatDuration(durationMs) },
  { name: 'Time', class: 'right muted medium', cell: ({ at }) => <TimeText at={at} format="time" /> },
];

function formatReason({ problem }: Row): string {
  return problem?.type?.replace(/^\/problems\//, '') ?? problem?.title ?? '';
}

const RequestLine = ({ link, ...row }: Row & { readonly link: RowLink }) => (
  <>
    <Method method={row.method} />{' '}
    <a {...link} title={`${row.operationId ?? ''} ${row.path}`}>
      {formatPath(row.path)}
    </a>
    <small class="narrow-only">{formatReason(row)}</small>
  </>
);

export default function Requests({ params: { traceId } = {} }: PageProps) {
  const { query } = useLocation();
  const filter: RequestFilter = pickQuery(query, filterNames);
  const key = JSON.stringify(filter);
  // The filter is a new object on each render, so its content is the dependency.
  const rows = useMemo(() => followRows(filter), [key]);
  useEffect(() => rows.close, [rows]);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title="Requests"
      lead="Every request to the API and its authorization server, with the reason for each response."
      actions={
        <ConfirmButton
          class="danger"
          text="Clear the journal"
          warning="All requests and their explanations are removed. This cannot be undone."
          run={() => call('clearRequests').then(rows.restart)}
          done="The journal is empty."
        />
      }
    >
      <RequestFilters filter={filter} path={traceId === undefined ? '/requests' : `/requests/${traceId}`} />
      <div class="split" data-open={traceId !== undefined}>
        <LiveList
          label="Requests, newest first"
          from={{ data: rows.rows.value, error: rows.error.value }}
          waiting={rows.waiting.value.length}
          holdRowsWhileReading={rows.holdRowsWhileReading}
          loadOlder={rows.loadOlder}
          columns={COLUMNS}
          rowHeight={ROW_HEIGHT_PX}
          hrefFor={(row) => buildHref(`/requests/${row.traceId}`, { ...filter })}
          isSelected={(row) => row.traceId === traceId}
          empty={
            <EmptyList kind="request" isFiltered={isFiltered}>
              Requests appear here as soon as an application sends them. <a href={buildHref('/')}>The overview</a> has a first request to
              copy.
            </EmptyList>
          }
        />
        {traceId !== undefined && <RequestDetail key={traceId} traceId={traceId} />}
      </div>
    </Page>
  );
}

function RequestFilters({ filter, path }: { filter: RequestFilter; path: string }) {
  const operations = useResource(() => call('listOperations'));
  const refusals = (operations.data ?? []).flatMap((operation) => operation.refusals);
  const [named] = refusals.filter(({ rule }) => rule === filter.rule);
  const refusing = (operations.data ?? []).filter((operation) => operation.refusals.some(({ rule }) => rule === filter.rule));
  const statuses = [...new Set([...STATUS_CLASSES, ...refusals.map(({ status }) => String(status))])].sort();
  return (
    <>
      <FilterBar
        query={{ ...filter }}
        hrefFor={(query) => buildHref(path, query)}
        filters={{
          text: { label: 'Text', placeholder: 'name or text' },
          operation: {
            label: 'Operation',
            options: [...(operations.data ?? []).map(({ operationId }) => operationId), 'authorize', 'token'],
          },
          status: { label: 'Status', options: statuses },
          credential: { label: 'Credential', placeholder: 'client or principal', suggestions: suggestNames('clients', 'principals') },
          rule: {
            label: 'Rule',
            placeholder: 'id of a rule',
            suggestions: async () => [...new Set(refusals.map(({ rule }) => rule))].sort(),
          },
        }}
      >
        {Object.keys(filter).length > 0 && <ButtonLink href={buildHref(path)} text="Clear" />}
      </FilterBar>
      {/* The explanation of an open request has the same text. */}
      {named && path === '/requests' && (
        <section class="callout" data-tone="info" aria-label="Rule">
          <ExplanationReason reason={{ ...named, id: named.rule, kind: 'rule' }}>
            <small>{`${named.status} from ${refusing.map(({ operationId }) => operationId).join(', ')}`}</small>
          </ExplanationReason>
        </section>
      )}
    </>
  );
}
