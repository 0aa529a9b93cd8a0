/** Reads docs/specification-coverage.md, the only place that quotes the specification. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CoverageRow {
  readonly section: string;
  readonly words: string;
  readonly cells: readonly string[];
}

export function readCoverage(root: string): { readonly text: string; readonly rows: readonly CoverageRow[] } {
  const text = readFileSync(join(root, 'docs/specification-coverage.md'), 'utf8');
  const rows = text.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'));
    return [...part.matchAll(/^\| “(.*?)” \|.*$/gm)].map(([line, words = '']) => ({ section, words, cells: line.split('|').slice(1, -1) }));
  });
  return { text, rows };
}

/** The coverage document uses backquotes only for ids. */
export const findIds = (text = ''): string[] => [...text.matchAll(/`([^`]*)`/g)].map(([, id = '']) => id);

export function findQuotedWords(id: string, { section }: { readonly section: string }, rows: readonly CoverageRow[]): string[] {
  return rows.filter((row) => row.section === section && findIds(row.cells[1]).includes(id)).map(({ words }) => words);
}
