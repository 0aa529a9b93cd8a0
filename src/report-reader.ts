import type { ReportReader } from './control/handler.ts';
import type { Journal } from './journal/journal.ts';

/** Checks a journal's calls, and reads a folder's reports. Imports the modules for this only when they are needed. */
export function createReportReader(journal: Journal, folder: string): ReportReader {
  const importReportFolder = () => import('./report/report-folder.ts');
  return {
    async checkCalls({ since, wholeLists }) {
      const { judgeRecordedCalls } = await import('./checks/client/judge-recorded-calls.ts');
      return judgeRecordedCalls((await journal.list({ limit: Number.POSITIVE_INFINITY, since })).reverse(), wholeLists);
    },
    listReports: async () => (await importReportFolder()).listReports(folder),
    readReport: async (name) => (await importReportFolder()).readReport(folder, name),
  };
}
