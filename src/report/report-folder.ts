import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { components } from '../contract/generated/control.ts';
import type { Results } from '../contract/generated/results.ts';
import { parseResults, ResultsError } from './read-results.ts';
import { createTitle } from './run-view.ts';

type Schemas = components['schemas'];

/** Larger pages are not shown. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** The members before the rules are much shorter. */
const MAX_FACTS_BYTES = 64 * 1024;

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
  const page = join(folder, name, 'index.html');
  const size = facts && (await getFileSize(page));
  const html = size !== undefined && size <= MAX_PAGE_BYTES ? await readFile(page, 'utf8').catch(() => undefined) : undefined;
  return facts && html !== undefined ? { ...facts, html } : undefined;
}

/** Reads only the members before the rules, because the rules can contain many megabytes of requests and responses. */
async function readFacts(folder: string, name: string): Promise<Schemas['Report'] | undefined> {
  const path = join(folder, name, 'results.json');
  if ((await getFileSize(path)) === undefined) return undefined;
  const start = await text(createReadStream(path, { end: MAX_FACTS_BYTES - 1 })).catch(() => '');
  // Within a JSON string, a backslash precedes a quotation mark, so this finds a member.
  const end = start.search(/,\s*"rules":/);
  if (end === -1) return undefined;
  try {
    return toReport(name, parseResults(`${start.slice(0, end)},"rules":[],"observations":[],"leftovers":[],"errors":[]}`, name));
  } catch (error) {
    if (error instanceof ResultsError) return undefined;
    throw error;
  }
}

/** Returns undefined for the results of an earlier version of this package, which count no verdicts. */
export function toReport(name: string, results: Results): Schemas['Report'] | undefined {
  const { target, startedAt, durationMs, interrupted, incomplete, verdicts } = results;
  return (
    verdicts && {
      name,
      kind: target.kind,
      title: createTitle(results),
      target: target.baseUrl,
      startedAt,
      durationMs,
      interrupted,
      ...(incomplete !== undefined && { incomplete }),
      rules: verdicts,
    }
  );
}

/** Returns undefined for a link, or a file that another process has removed. */
async function getFileSize(path: string): Promise<number | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isFile() ? stats.size : undefined;
}
