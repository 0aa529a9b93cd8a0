import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { components } from '../contract/generated/control.ts';
import type { Results } from '../contract/generated/results.ts';
import { parseResults, ResultsError } from './read-results.ts';
import { createTitle } from './summary.ts';

type Schemas = components['schemas'];

/** Larger files are not reports. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Skips links, which may point outside the folder. */
export async function listReports(folder: string): Promise<Schemas['Report'][]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const reports = await Promise.all(entries.filter((entry) => entry.isDirectory()).map(({ name }) => readFacts(folder, name)));
  return reports.filter((report) => report !== undefined).sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** Accepts only listed names, so that no name points outside the folder. */
export async function readReport(folder: string, name: string): Promise<Schemas['ReportWithPage'] | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const entry = entries.find((each) => each.isDirectory() && each.name === name);
  const facts = entry && (await readFacts(folder, entry.name));
  const html = entry && (await readRegularFile(join(folder, entry.name, 'index.html')));
  return facts && html !== undefined ? { ...facts, html } : undefined;
}

async function readFacts(folder: string, name: string): Promise<Schemas['Report'] | undefined> {
  const text = await readRegularFile(join(folder, name, 'results.json'));
  if (text === undefined) return undefined;
  try {
    return toReportSummary(name, parseResults(text, name));
  } catch (error) {
    if (error instanceof ResultsError) return undefined;
    throw error;
  }
}

function toReportSummary(name: string, results: Results): Schemas['Report'] {
  const { target, startedAt, durationMs, interrupted, incomplete, rules } = results;
  const counts: Record<string, number> = {};
  for (const { verdict } of rules) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return {
    name,
    kind: target.kind,
    title: createTitle(results),
    target: target.baseUrl,
    startedAt,
    durationMs,
    interrupted,
    ...(incomplete !== undefined && { incomplete }),
    rules: counts,
  };
}

/** Returns undefined for a link, a large file, or a file that another process has removed. */
async function readRegularFile(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() && stats.size <= MAX_BYTES ? readFile(path, 'utf8').catch(() => undefined) : undefined;
}
