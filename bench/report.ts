import type { Spread } from './spread.ts';

/** What a comparison came to. */
export interface Row {
  readonly what: string;
  /** What it is divided by; absent for a plain figure. */
  readonly against?: string;
  readonly unit: 'x' | 'ms';
  /** The same thing measured in one or more ways: by requests per second, by CPU time per request, by wall time. */
  readonly figures: Readonly<Partial<Record<Measure, Spread>>>;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

export type Measure = 'requests/s' | 'CPU/request' | 'time';

/** How fast each contender was by itself. These depend on the machine; the rows do so far less. */
export interface Absolute {
  readonly scenario: string;
  readonly contender: string;
  readonly requestsPerSecond: Spread;
  readonly cpuMicrosPerRequest: Spread;
}

/** `met` when every measure's median keeps the target, else which do not. */
export function verdict({ figures, target }: Row): string {
  if (!target) return '';
  const missed = Object.entries(figures)
    .filter(([, { median }]) => ('atLeast' in target ? median < target.atLeast : median > target.atMost))
    .map(([measure]) => measure);
  return missed.length === 0 ? 'met' : `missed (${missed.join(', ')})`;
}

export function table(rows: readonly Row[], absolutes: readonly Absolute[]): string {
  const ratios = rows.map((row) => [
    row.what,
    row.against ?? '',
    cell(row, 'requests/s'),
    cell(row, 'CPU/request'),
    cell(row, 'time'),
    targetText(row),
    verdict(row),
  ]);
  const speeds = absolutes.map(({ scenario, contender, requestsPerSecond, cpuMicrosPerRequest }) => [
    scenario,
    contender,
    spreadText(requestsPerSecond, 0),
    spreadText(cpuMicrosPerRequest, 0),
  ]);
  return [
    aligned([['measured', 'against', 'by requests/s', 'by CPU/request', 'by time', 'target', 'verdict'], ...ratios]),
    ...(speeds.length > 0 ? ['', aligned([['scenario', 'server', 'requests/s', 'CPU µs/request'], ...speeds])] : []),
  ].join('\n');
}

function cell({ figures, unit }: Row, measure: Measure): string {
  const spread = figures[measure];
  if (!spread) return '';
  return unit === 'x' ? spreadText(spread, 2) : `${spreadText(spread, 1)} ms`;
}

function spreadText({ median, min, max }: Spread, digits: number): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

function targetText({ target, unit }: Row): string {
  if (!target) return '';
  const sign = unit === 'x' ? 'x' : ' ms';
  return 'atLeast' in target ? `≥ ${target.atLeast}${sign}` : `≤ ${target.atMost}${sign}`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
