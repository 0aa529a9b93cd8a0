import { useRef, useState } from 'preact/hooks';
import { consolePath, control, getResponseData } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { Loaded, Page } from '../../ui/page.tsx';

/**
 * Shows a report in a frame without an origin, because a report contains untrusted text. The frame cannot send the control token, so the
 * console loads the report.
 */
export function ReportFrame({ name }: { name: string }) {
  const report = useResource(() => getResponseData(control.GET('/_control/reports/{name}', { params: { path: { name } } })), [name]);
  return (
    <Page
      title={report.data?.title ?? 'Report'}
      actions={
        <a class="button" href={buildHref('/reports')}>
          <Icon name="back" /> All reports
        </a>
      }
    >
      <Loaded from={report} lines={12}>
        {({ html, title }) => <IsolatedFrame html={html} title={title} />}
      </Loaded>
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
    <iframe class="report" ref={frame} title={title} sandbox="allow-scripts" src={`${consolePath}/report-frame`} onLoad={sendContent} />
  );
}
