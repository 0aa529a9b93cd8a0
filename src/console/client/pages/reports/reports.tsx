import { NotFound, Page, type PageProps } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Findings } from './findings.tsx';
import { ReportFrame } from './report-frame.tsx';
import { ReportList } from './report-list.tsx';

export default function Reports({ params: { view, name } = {} }: PageProps) {
  if (view === 'report' && name !== undefined) return <ReportFrame key={name} name={name} />;
  if (view !== undefined && view !== 'client') return <NotFound />;
  return (
    <Page title="Reports" lead="What the conformance suite and the integration checks found.">
      <Tabs
        label="Sections of the page"
        current={view === undefined ? '/reports' : `/reports/${view}`}
        tabs={[
          { path: '/reports', label: 'Written reports' },
          { path: '/reports/client', label: 'Your client so far' },
        ]}
      />
      {view === 'client' ? <Findings /> : <ReportList />}
    </Page>
  );
}
