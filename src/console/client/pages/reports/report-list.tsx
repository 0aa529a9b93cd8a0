import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { info } from '../../kit/state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { buildHref } from '../../ui/href.ts';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { formatDuration, TimeText } from '../../ui/time.tsx';
import { VERDICTS } from './verdicts.ts';

type Report = Schemas['Report'];

export function ReportList() {
  const reports = useResource(() => getResponseData(control.GET('/_control/reports')));
  const folder = String(info.value?.settings.reports ?? '.');
  return (
    <Section
      title="Written reports"
      lead={
        <>
          In {folder === '.' ? 'the folder in which the kit was started' : <code>{folder}</code>}. To use another folder, start the kit with
          --reports.
        </>
      }
      actions={
        <button type="button" onClick={() => void reports.reload()}>
          Refresh
        </button>
      }
    >
      <Loaded from={reports} lines={5}>
        {(all) => (all.length === 0 ? <NoReports /> : <ReportTable reports={all} />)}
      </Loaded>
    </Section>
  );
}

function NoReports() {
  const { baseUrl = '' } = info.value ?? {};
  const commands = [
    `npx xpk conformance --url ${baseUrl}`,
    `npx xpk check webhook --url http://127.0.0.1:3000/webhook`,
    `npx xpk check client --url ${baseUrl}`,
  ];
  return (
    <EmptyNote icon="reports" title="No reports yet">
      <p>Each of these commands writes a report:</p>
      <Code text={commands.join('\n')} label="commands" />
    </EmptyNote>
  );
}

function ReportTable({ reports }: { reports: readonly Report[] }) {
  return (
    <div class="table-frame">
      <table class="reports">
        <thead>
          <tr>
            <th scope="col">Report</th>
            <th scope="col">Rules</th>
            <th scope="col" class="right">
              Written
            </th>
          </tr>
        </thead>
        <tbody>
          {reports.map(({ name, kind, title, startedAt, durationMs, interrupted, incomplete, rules }) => (
            <tr key={name}>
              <td>
                <a href={buildHref(`/reports/report/${encodeURIComponent(name)}`)}>{title}</a>
                <small>
                  {REPORT_KINDS[kind]} · {name}
                </small>
              </td>
              <td>
                <span class="badges">
                  {VERDICTS.filter(([verdict]) => (rules[verdict] ?? 0) > 0 && verdict !== 'not-applicable').map(
                    ([verdict, tone, word]) => (
                      <Badge key={verdict} tone={tone}>
                        {rules[verdict]} {word}
                      </Badge>
                    ),
                  )}
                  {(interrupted || incomplete !== undefined) && <Badge tone="warn">incomplete</Badge>}
                </span>
              </td>
              <td class="right">
                <TimeText ms={Date.parse(startedAt)} />
                <small>took {formatDuration(durationMs)}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const REPORT_KINDS: Readonly<Record<Report['kind'], string>> = {
  kit: 'conformance of a kit',
  foreign: 'conformance of a server',
  webhook: 'webhook endpoint',
  client: 'client',
};
