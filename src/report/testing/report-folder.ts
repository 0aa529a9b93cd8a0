import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results } from '../../contract/generated/results.ts';
import { formatHtmlReport } from '../html.ts';
import { createRunView } from '../run-view.ts';
import { formatResults } from '../write-reports.ts';

/** Writes reports to a new folder. */
export async function writeReports(reports: Readonly<Record<string, Results>>): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'xpk-reports-'));
  for (const [name, results] of Object.entries(reports)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'results.json'), formatResults(results));
    await writeFile(join(folder, name, 'index.html'), formatHtmlReport(createRunView(results)));
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
