import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { htmlReport } from '../../report/html.ts';
import { junitReport } from '../../report/junit.ts';
import { markdownReport } from '../../report/markdown.ts';
import type { Results } from '../../report/results.ts';

/** The names of the reports in their folder; results.json is there already. */
export const REPORTS = ['index.html', 'report.md', 'junit.xml', 'results.json'] as const;

/** Writes what people and machines read of a run. */
export async function writeReports(
  folder: string,
  results: Results,
  objections: readonly string[],
  tolerated: ReadonlySet<string>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, 'index.html'), htmlReport({ results, objections, tolerated })),
    writeFile(join(folder, 'report.md'), markdownReport(results)),
    writeFile(join(folder, 'junit.xml'), junitReport(results, tolerated)),
  ]);
}
