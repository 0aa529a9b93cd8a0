import { useRef, useState } from 'preact/hooks';
import { call, consolePath } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { buildHref, Loaded, NotFound, Page, type PageProps, Tabs } from '../../ui/page.tsx';
import { Checks } from './checks.tsx';
import { Findings } from './findings.tsx';
import { ReportList } from './report-list.tsx';

export default function Reports({ params: { view, name } = {} }: PageProps) {
  if (view === 'report' && name !== undefined) return <ReportPage key={name} name={name} />;
  if (view !== undefined && view !== 'client' && view !== 'checks') return <NotFound />;
  return (
    <Page title="Reports" lead="What the conformance suite and the integration checks found.">
      <Tabs
        label="Sections of the page"
        current={view === undefined ? '/reports' : `/reports/${view}`}
        tabs={[
          { path: '/reports', label: 'Written reports' },
          { path: '/reports/client', label: 'Your client so far' },
          { path: '/reports/checks', label: 'Checks' },
        ]}
      />
      {view === 'client' ? <Findings /> : view === 'checks' ? <Checks /> : <ReportList />}
    </Page>
  );
}

/**
 * Shows a report in a frame without an origin, because a report contains untrusted text. The frame cannot send the control token, so the
 * console loads the report.
 */
function ReportPage({ name }: { name: string }) {
  const report = useResource(() => call('readReport', { name }));
  return (
    <Page title={report.data?.title ?? 'Report'} actions={<ButtonLink href={buildHref('/reports')} text="All reports" />}>
      <Loaded from={report}>{({ html, title }) => <IsolatedFrame html={html} title={title} />}</Loaded>
    </Page>
  );
}

function IsolatedFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isSent, setSent] = useState(false);
  // The target origin must be `*`, because the frame has no origin.
  const sendContent = () => {
    if (isSent) return;
    setSent(true);
    frame.current?.contentWindow?.postMessage(html, '*');
  };
  return (
    <iframe class="box report" ref={frame} title={title} sandbox="allow-scripts" src={`${consolePath}/report-frame`} onLoad={sendContent} />
  );
}
