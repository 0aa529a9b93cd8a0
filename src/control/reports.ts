import { type ControlHandlers, refuseRequest } from './handler.ts';

export const reportHandlers: Pick<ControlHandlers, 'readFindings' | 'listReports' | 'readReport'> = {
  async readFindings({ query: { since = 0, lists } }, { reportReader }) {
    return { status: 200, body: await reportReader.checkJournalCalls({ since, wholeLists: lists === 'whole' }) };
  },
  async listReports(_, { reportReader }) {
    return { status: 200, body: await reportReader.listReports() };
  },
  async readReport({ params }, { reportReader }) {
    const report = await reportReader.readReport(params.name);
    if (report) return { status: 200, body: report };
    return refuseRequest('not-found', 'The reports folder contains no report with this name. List the reports with GET /_control/reports.');
  },
};
