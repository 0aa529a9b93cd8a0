export interface Options {
  /** Each round measures every server once. */
  readonly rounds: number;
  /** The duration, in seconds, of each server's load in a round. */
  readonly seconds: number;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @param values at least one measurement */
export function calculateSpread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return { median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2, min: sorted[0]!, max: sorted.at(-1)! };
}

export interface Row {
  readonly what: string;
  /** The server that the ratio compares the kit with. Absent if the row describes only the kit. */
  readonly against?: string;
  readonly unit: 'x' | '%' | 'ms' | 'MB' | '/min';
  readonly figures: Readonly<Record<string, Spread>>;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
}

/** @param values one measurement for each round */
export function createRow(what: string, measure: string, unit: Row['unit'], values: readonly number[], target?: Row['target']): Row {
  return { what, unit, figures: { [measure]: calculateSpread(values) }, ...(target && { target }) };
}

export function formatVerdict({ figures, target }: Row): string {
  if (!target) return '';
  const missed = Object.entries(figures)
    .filter(([measure]) => measure !== 'p99')
    .filter(([, { median }]) => ('atLeast' in target ? median < target.atLeast : median > target.atMost))
    .map(([measure]) => measure);
  return missed.length === 0 ? 'met' : `missed (${missed.join(', ')})`;
}

export type Scenario = (options: Options, log: (text: string) => void) => Promise<Row[]>;

export function formatCells(rows: readonly Row[], earlier: Readonly<Record<string, readonly [first: string, later: string]>>): string[][] {
  const cells = rows.map((row) => {
    const name = formatName(row);
    return [name, ...(earlier[name] ?? ['', '']), formatFigures(row), formatTarget(row), formatVerdict(row)];
  });
  return [['measured', 'first delivery', 'earlier', 'now: median (min–max)', 'target', 'verdict'], ...cells];
}

function formatName({ what, against }: Row): string {
  return against === undefined ? what : `${what}, compared with ${against}`;
}

function formatFigures({ figures, unit }: Row): string {
  const digits = DIGITS[unit];
  const isOne = Object.keys(figures).length === 1;
  return Object.entries(figures)
    .map(([measure, { median, min, max }]) => {
      const range = unit === '%' ? '' : ` (${min.toFixed(digits)}–${max.toFixed(digits)})`;
      const text = `${median.toFixed(digits)}${UNIT_SUFFIXES[unit]}${range}`;
      return isOne ? text : `${measure} ${text}`;
    })
    .join(', ');
}

const DIGITS: Readonly<Record<Row['unit'], number>> = { x: 2, '%': 0, ms: 1, MB: 1, '/min': 1 };
const UNIT_SUFFIXES: Readonly<Record<Row['unit'], string>> = { x: '', '%': ' %', ms: ' ms', MB: ' MB', '/min': ' a minute' };

function formatTarget({ target, unit }: Row): string {
  if (!target) return '';
  return 'atLeast' in target ? `≥ ${target.atLeast}${UNIT_SUFFIXES[unit]}` : `≤ ${target.atMost}${UNIT_SUFFIXES[unit]}`;
}

export function formatAlignedTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const formatLine = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column]!)).join('  ');
  return rows.map((row) => formatLine(row).trimEnd()).join('\n');
}

export function formatMarkdownTable([headings = [], ...rows]: readonly (readonly string[])[]): string {
  const formatLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [formatLine(headings), formatLine(headings.map(() => '---')), ...rows.map(formatLine)].join('\n');
}
