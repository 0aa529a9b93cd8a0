import { formatPlural } from '../contract/format-plural.ts';
import { SINGULAR_NOUNS } from '../world/world.ts';

export function formatTable(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => row.map(toOneLine));
  const widths = lines.reduce<number[]>((all, row) => row.map((text, i) => Math.max(all[i] ?? 0, text.length)), []);
  const formatRow = (row: readonly string[]) => row.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ');
  return lines.map((row) => formatRow(row).trimEnd()).join('\n');
}

export function formatCounts(entities: Readonly<Record<string, number>>): string {
  const counts = Object.entries(SINGULAR_NOUNS).map(([collection, singular]) => [entities[collection] ?? 0, singular] as const);
  const parts = counts.filter(([count]) => count > 0).map(([count, singular]) => formatPlural(count, singular));
  return parts.join(', ') || 'no entities';
}

const DURATION_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** Returns an empty string for 0. */
export function formatDuration(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (const [unit, size] of DURATION_UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}

/** Escapes line breaks, so that foreign text cannot look like another line of the output. */
export const toOneLine = (text: string): string => text.replaceAll('\n', '\\n');
