import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, dataOf } from '../../kit/control.ts';
import { Page, type PageProps } from '../../ui/page.tsx';
import { attempt } from '../../ui/toast.tsx';
import { RequestDetail } from './detail.tsx';
import { filterOf } from './filter.ts';
import { Filters } from './filters.tsx';
import { RequestList } from './list.tsx';
import { followRows } from './rows.ts';

/** The requests to the kit as they arrive, and the detail of one of them. */
export default function Requests({ params: { traceId } = {} }: PageProps) {
  const { query } = useLocation();
  const filter = filterOf(query);
  const key = JSON.stringify(filter);
  // The key has the content of the filter, which is a new object for each rendering.
  const rows = useMemo(() => followRows(filter), [key]);
  useEffect(() => rows.close, [rows]);
  const clear = async () => {
    await dataOf(control.DELETE('/_control/requests'));
    rows.restart();
  };
  return (
    <Page
      title="Requests"
      lead="Every request to the API and to its authorization server, with the reason of its response."
      actions={
        <button type="button" onClick={() => void attempt(clear, 'The journal is empty.')}>
          Clear the journal
        </button>
      }
    >
      <Filters filter={filter} path={traceId === undefined ? '/requests' : `/requests/${traceId}`} />
      <div class="split" data-open={traceId !== undefined}>
        <RequestList from={rows} filter={filter} selected={traceId} />
        {traceId !== undefined && <RequestDetail key={traceId} traceId={traceId} filter={filter} />}
      </div>
    </Page>
  );
}
