import { formatPlural } from '../../contract/format-plural.ts';
import { formatCounts, formatDuration, formatTable, toOneLine } from '../format.ts';

type Data = Readonly<Record<string, unknown>>;

/** An empty text means that there is nothing to print. */
const FILTERS: Readonly<Record<string, (value: never, ...args: string[]) => string>> = {
  counts: (entities: Record<string, number>) => formatCounts(entities),
  duration: (milliseconds: number) => formatDuration(milliseconds),
  plural: (count: number, singular: string, plural?: string) => (count === 0 ? '' : formatPlural(count, singular, plural)),
};

/** Replaces placeholders such as `{member}`, `{member|other|'text'}` and `{member:filter}`, and sections such as `[needs {member}|or else]`. */
export function fillTemplate(template: string, data: unknown): string {
  return template.replaceAll(/\[([^\]]*)\]|\{([^}]*)\}/g, (_, section: string | undefined, placeholder: string) =>
    section === undefined ? fillPlaceholder(placeholder, data) : fillSection(section, data),
  );
}

/** Fills the first alternative whose placeholders all have values. */
function fillSection(section: string, data: unknown): string {
  for (const alternative of section.split(/\|(?![^{]*\})/)) {
    let isComplete = true;
    const filled = alternative.replaceAll(/\{([^}]*)\}/g, (_, placeholder: string) => {
      const value = fillPlaceholder(placeholder, data);
      isComplete &&= value !== '';
      return value;
    });
    if (isComplete) return filled;
  }
  return '';
}

function fillPlaceholder(placeholder: string, data: unknown): string {
  const [names = '', filter] = placeholder.split(':');
  const [, literal] = /'(.*)'$/.exec(names) ?? [];
  const values = names.split('|').map((name) => name.split('.').reduce((value, step) => (value as Data | undefined)?.[step], data));
  const value = values.find((each) => each !== undefined && each !== null);
  if (value === undefined) return literal ?? '';
  const [filterName = '', ...args] = filter?.split(' ') ?? [];
  return toOneLine(FILTERS[filterName]?.(value as never, ...args) ?? (Array.isArray(value) ? value.join(', ') : String(value)));
}

/** @param columns templates, with or without headers */
export function formatColumns(columns: readonly string[] | Readonly<Record<string, string>>, rows: readonly unknown[]): string {
  const cells = rows.map((row) => Object.values(columns).map((template) => fillTemplate(template, row)));
  return formatTable(Array.isArray(columns) ? cells : [Object.keys(columns), ...cells]);
}
