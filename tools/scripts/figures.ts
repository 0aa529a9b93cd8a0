/** Keeps the figures of the last test runs, from which `npm run numbers` writes docs/how-it-is-tested.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

export const PAGE = 'docs/how-it-is-tested.md';
const FOLDER = 'node_modules/.cache/figures';

export type Figures = Readonly<Record<string, number>>;

const runGit = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** @returns the commit in the working tree, followed by `-changed` if a tracked file other than the page differs */
export function readCommit(): string {
  const changes = runGit('status', '--porcelain', '--untracked-files=no', '--', '.', `:!${PAGE}`);
  return `${runGit('rev-parse', 'HEAD')}${changes === '' ? '' : '-changed'}`;
}

export function recordFigures(run: string, figures: Figures): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/${run}.json`, JSON.stringify({ commit: readCommit(), figures }));
}

/** @returns the figures of the last run, or a sentence that says why there are none for this commit */
export function readFigures(run: string, commit: string): Figures | string {
  const file = `${FOLDER}/${run}.json`;
  if (!existsSync(file)) return 'was never run';
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { commit: string; figures: Figures };
  return recorded.commit === commit ? recorded.figures : `was run on ${recorded.commit}`;
}
