import { useRef, useState } from 'preact/hooks';
import { consolePath, control, dataOf } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { hrefOf } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { Loaded, Page } from '../../ui/page.tsx';

/**
 * The page of a report. It contains texts of the run, so it is shown in a frame without an origin: the page cannot reach the kit, the
 * console or the network. The console loads it, because a frame could not send the control token.
 */
export function ReportFrame({ name }: { name: string }) {
  const report = useResource(() => dataOf(control.GET('/_control/reports/{name}', { params: { path: { name } } })), [name]);
  return (
    <Page
      title={report.data?.title ?? 'Report'}
      actions={
        <a class="button" href={hrefOf('/reports')}>
          <Icon name="back" /> All reports
        </a>
      }
    >
      <Loaded from={report} lines={12}>
        {({ html, title }) => <Frame html={html} title={title} />}
      </Loaded>
    </Page>
  );
}

function Frame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isSent, setSent] = useState(false);
  // The frame has no origin that could be named, and its content is only what this page sends.
  const show = () => {
    if (isSent) return;
    setSent(true);
    frame.current?.contentWindow?.postMessage(html, '*');
  };
  return <iframe class="report" ref={frame} title={title} sandbox="allow-scripts" src={`${consolePath}/report-frame`} onLoad={show} />;
}
