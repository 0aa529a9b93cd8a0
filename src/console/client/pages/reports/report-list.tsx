import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { info } from '../../kit/state.ts';
import { Action } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { buildHref, EmptyNote, LoadedSection } from '../../ui/page.tsx';
import { type Column, Table, withNote } from '../../ui/table.tsx';
import { Badge, formatDuration, StateBadge, TimeText } from '../../ui/values.tsx';

type Report = Schemas['Report'];

const REPORT_KINDS: Readonly<Record<Report['kind'], string>> = {
  kit: 'conformance of a kit',
  foreign: 'conformance of a server',
  webhook: 'webhook endpoint',
  client: 'client',
};

export const verdicts = ['failed', 'error', 'partly-tested', 'passed', 'not-testable', 'not-exercised', 'not-applicable'] as const;

export const VerdictBadge = ({ verdict, count }: { verdict: Schemas['Verdict']; count: number }) => (
  <StateBadge state={verdict}>
    {count} {verdict.replace('-', ' ')}
  </StateBadge>
);

const COLUMNS: readonly Column<Report>[] = [
  {
    name: 'Report',
    cell: ({ name, title, kind }) =>
      withNote(<a href={buildHref(`/reports/report/${encodeURIComponent(name)}`)}>{title}</a>, `${REPORT_KINDS[kind]} · ${name}`),
  },
  {
    name: 'Rules',
    cell: ({ rules, interrupted, incomplete }) => (
      <span class="row">
        {verdicts
          .filter((verdict) => (rules[verdict] ?? 0) > 0 && verdict !== 'not-applicable')
          .map((verdict) => (
            <VerdictBadge key={verdict} verdict={verdict} count={rules[verdict] ?? 0} />
          ))}
        {(interrupted || incomplete !== undefined) && <Badge tone="warn">incomplete</Badge>}
      </span>
    ),
  },
  {
    name: 'Written',
    class: 'right',
    cell: ({ startedAt, durationMs }) => withNote(<TimeText at={startedAt} />, `took ${formatDuration(durationMs)}`),
  },
];

export function ReportList() {
  const reports = useResource(() => call('listReports'));
  const folder = String(info.value?.settings.reports ?? '.');
  return (
    <LoadedSection
      from={reports}
      lines={5}
      empty={<NoReports />}
      isTitleHidden
      title="Written reports"
      lead={
        <>
          In {folder === '.' ? 'the folder in which the kit was started' : <code>{folder}</code>}. To use another folder, start the kit with
          --reports.
        </>
      }
      actions={<Action run={async () => {}} text="Refresh" />}
    >
      {(all) => <Table rows={all} columns={COLUMNS} />}
    </LoadedSection>
  );
}

function NoReports() {
  const { baseUrl = '' } = info.value ?? {};
  const commands = [
    `npx xpk conformance --base-url ${baseUrl}`,
    `npx xpk check webhook http://127.0.0.1:3000/webhook --url ${baseUrl}`,
    `npx xpk check client --url ${baseUrl}`,
  ];
  return (
    <>
      <EmptyNote icon="reports" title="No reports yet" lead="Each of these commands writes a report:" />
      <Code text={commands.join('\n')} label="commands" />
    </>
  );
}
