import type { Judging } from './control/handler.ts';
import type { Journal } from './journal/journal.ts';

/** Judges the calls in a journal, and reads the reports in a folder. The modules are loaded at the first call: few kits need them. */
export function createJudging(journal: Journal, folder: string): Judging {
  const reportFolder = () => import('./report/report-folder.ts');
  return {
    async findings({ since, wholeLists }) {
      const { judgeSoFar } = await import('./checks/client/live.ts');
      return judgeSoFar((await journal.list({ limit: Number.POSITIVE_INFINITY, since })).reverse(), wholeLists);
    },
    reports: async () => (await reportFolder()).listReports(folder),
    report: async (name) => (await reportFolder()).readReport(folder, name),
  };
}
