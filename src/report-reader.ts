import type { ReportedChecks } from './check-runs.ts';
import type { components } from './contract/generated/control.ts';
import type { Check, RuleResult } from './contract/generated/results.ts';
import type { ReportReader } from './control/handler.ts';
import type { Journal } from './journal/journal.ts';

type Schemas = components['schemas'];

export function createReportReader(journal: Journal, folder: string, checks: ReportedChecks): ReportReader {
  const importReportFolderModule = () => import('./report/report-folder.ts');
  return {
    async checkJournalCalls({ since, wholeLists }) {
      const { createClientResults } = await import('./checks/client/results.ts');
      const calls = (await journal.list({ limit: Number.POSITIVE_INFINITY, since })).reverse();
      const [first] = calls;
      const facts = { missed: 0, complete: first === undefined || first.number === 1 };
      const run = { calls, facts, url: '', startedAt: new Date(), options: { wholeLists } };
      const { rules, coverage = [] } = createClientResults(run);
      return {
        calls: calls.length,
        ...(first && { first: first.number }),
        rules: rules.map(toRule),
        coverage: coverage.map(({ documented = true, next, ...answer }) => ({ ...answer, ...(next && { next: [...next] }), documented })),
      };
    },
    async listReports() {
      const written = await (await importReportFolderModule()).listReports(folder);
      return [...written, ...(await checks.listReports())].sort((a, b) => b.startedAt.localeCompare(a.startedAt));
    },
    readReport: async (name) => (await checks.readReport(name)) ?? (await importReportFolderModule()).readReport(folder, name),
  };
}

function toRule({ id, text, level, section, verdict, cells }: RuleResult): Schemas['JudgedRule'] {
  return { id, text, level, section, verdict, outcomes: (cells.integration?.checks ?? []).map(toOutcome) };
}

function toOutcome({ title, verdict, failure, reason, timeline = [] }: Check): Schemas['JudgedRule']['outcomes'][number] {
  const text = failure?.message ?? reason;
  return {
    title,
    verdict,
    ...(text !== undefined && { text }),
    calls: timeline.map(({ at, text: line, traceId, violation = false }) => ({
      at,
      text: line,
      ...(traceId !== undefined && { traceId }),
      breaks: violation,
    })),
  };
}
