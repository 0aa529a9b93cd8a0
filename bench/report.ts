export interface Options {
  /** The number of rounds. Every server is measured once per round, and a ratio compares measurements of the same round. */
  readonly rounds: number;
  /** The duration of the load on each server in a round, in seconds. */
  readonly seconds: number;
}

/** The median and the range of several measurements. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @param values at least one measurement */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return { median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2, min: sorted[0]!, max: sorted.at(-1)! };
}

/** A row of the result table. */
export interface Row {
  readonly what: string;
  /** The server or data with which a ratio compares, such as `Prism`. Absent if the row shows a duration. */
  readonly against?: string;
  readonly unit: 'x' | 'ms';
  /** The results, by measure. Most comparisons have results for both requests/s and CPU/request. */
  readonly figures: Readonly<Partial<Record<Measure, Spread>>>;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

export type Measure = 'requests/s' | 'CPU/request' | 'time';

/**
 * Returns `met` if the median of every measure reaches the target. Otherwise returns `missed` and the measures that do not reach the
 * target.
 */
export function verdict({ figures, target }: Row): string {
  if (!target) return '';
  const missed = Object.entries(figures)
    .filter(([, { median }]) => ('atLeast' in target ? median < target.atLeast : median > target.atMost))
    .map(([measure]) => measure);
  return missed.length === 0 ? 'met' : `missed (${missed.join(', ')})`;
}

/** Starts servers, measures them and stops them. @param log reports progress */
export type Scenario = (options: Options, log: (text: string) => void) => Promise<Row[]>;

export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    ...[row.what, row.against ?? '', cell(row, 'requests/s'), cell(row, 'CPU/request'), cell(row, 'time')],
    ...[targetText(row), verdict(row)],
  ]);
  return aligned([['measured', 'against', 'by requests/s', 'by CPU/request', 'by time', 'target', 'verdict'], ...cells]);
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
  const lineOf = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => lineOf(row).trimEnd()).join('\n');
}
