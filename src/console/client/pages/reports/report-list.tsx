import { call, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { info } from '../../kit/state.ts';
import { Action } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { buildHref, EmptyNote, LoadedLines, Section } from '../../ui/page.tsx';
import { Badge, formatDuration, StateBadge, TimeText } from '../../ui/values.tsx';

type Report = Schemas['Report'];

const REPORT_KINDS: Readonly<Record<Report['kind'], string>> = {
  kit: 'conformance of a kit',
  foreign: 'conformance of a server',
  webhook: 'webhook endpoint',
  client: 'client',
};

export const verdicts = ['failed', 'flaky', 'error', 'partly-tested', 'passed', 'not-testable', 'not-exercised', 'not-applicable'] as const;

export const VerdictBadge = ({ verdict, count }: { verdict: Schemas['Verdict']; count: number }) => (
  <StateBadge state={verdict}>
    {count} {verdict.replace('-', ' ')}
  </StateBadge>
);

function describeReport({ name, title, kind, rules, interrupted, incomplete, startedAt, durationMs }: Report) {
  const found = verdicts.filter((verdict) => (rules[verdict] ?? 0) > 0 && verdict !== 'not-applicable');
  return {
    title: <a href={buildHref(`/reports/report/${encodeURIComponent(name)}`)}>{title}</a>,
    lead: [`${REPORT_KINDS[kind]} · ${name} · `, <TimeText key="at" at={startedAt} />, `, took ${formatDuration(durationMs)}`],
    actions: (
      <span class="row">
        {found.map((verdict) => (
          <VerdictBadge key={verdict} verdict={verdict} count={rules[verdict] ?? 0} />
        ))}
        {(interrupted || incomplete !== undefined) && <Badge tone="warn">incomplete</Badge>}
      </span>
    ),
  };
}

export function ReportList() {
  const reports = useResource(() => call('listReports'));
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
      actions={<Action run={async () => {}} text="Refresh" />}
    >
      <LoadedLines from={reports} empty={<NoReports />} line={describeReport} />
    </Section>
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
      <EmptyNote title="No reports yet" lead="Each of these commands writes a report:" />
      <Code text={commands.join('\n')} label="commands" />
    </>
  );
}
