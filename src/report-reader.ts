import type { ReportReader } from './control/handler.ts';
import type { Journal } from './journal/journal.ts';

export function createReportReader(journal: Journal, folder: string): ReportReader {
  const importReportFolderModule = () => import('./report/report-folder.ts');
  return {
    async checkJournalCalls({ since, wholeLists }) {
      const { judgeRecordedCalls } = await import('./checks/client/judge-recorded-calls.ts');
      return judgeRecordedCalls((await journal.list({ limit: Number.POSITIVE_INFINITY, since })).reverse(), wholeLists);
    },
    listReports: async () => (await importReportFolderModule()).listReports(folder),
    readReport: async (name) => (await importReportFolderModule()).readReport(folder, name),
  };
}
