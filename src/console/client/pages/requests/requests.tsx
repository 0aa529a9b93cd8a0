import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, getResponseData } from '../../kit/control.ts';
import { Page, type PageProps } from '../../ui/page.tsx';
import { runAction } from '../../ui/toast.tsx';
import { RequestDetail } from './detail.tsx';
import { parseFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import { RequestList } from './list.tsx';
import { followRows } from './rows.ts';

export default function Requests({ params: { traceId } = {} }: PageProps) {
  const { query } = useLocation();
  const filter = parseFilter(query);
  const key = JSON.stringify(filter);
  // The filter is a new object on each render, so its content is the dependency.
  const rows = useMemo(() => followRows(filter), [key]);
  useEffect(() => rows.close, [rows]);
  const clearJournal = async () => {
    await getResponseData(control.DELETE('/_control/requests'));
    rows.restart();
  };
  return (
    <Page
      title="Requests"
      lead="Every request to the API and its authorization server, with the reason for each response."
      actions={
        <button type="button" onClick={() => void runAction(clearJournal, 'The journal is empty.')}>
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
