import { SINGULAR } from '../world/world.ts';

/** `2 providers, 1 telephone number`: what there is of each collection, without those that are empty. */
export function countsInWords(entities: Readonly<Record<string, number>>): string {
  const counted = Object.entries(SINGULAR).map(([collection, singular]) => [entities[collection] ?? 0, singular] as const);
  const parts = counted.filter(([count]) => count > 0).map(([count, singular]) => `${count} ${singular}${count === 1 ? '' : 's'}`);
  return parts.join(', ') || 'nothing in it';
}

/** Rows below one another, each column as wide as its widest text. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((all, row) => row.map((text, i) => Math.max(all[i] ?? 0, text.length)), []);
  return rows
    .map((row) =>
      row
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** As `xpk clock advance` takes it: `1h30m`; nothing for no time. */
export function spanInWords(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) text += `${count}${unit}`;
  }
  return text;
}
