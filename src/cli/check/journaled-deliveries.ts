import { judgeEndpointByJournal } from '../../checks/webhook/passed-deliveries.ts';
import { clearReports, writeReports } from '../../report/write-reports.ts';
import { createCliClient } from '../control-client.ts';
import { readReportFlags } from '../reports/flags.ts';
import type { WebhookFlags } from './run-webhook.ts';

/** Judges an endpoint by the deliveries that passed a proxy. @returns the exit code */
export async function judgeJournaledDeliveries(url: string, flags: WebhookFlags): Promise<number> {
  const { rules, settings } = await readReportFlags(flags, 'webhook');
  const results = await judgeEndpointByJournal(createCliClient(url, flags.controlToken), url, rules);
  await clearReports(settings);
  return writeReports(results, settings);
}
