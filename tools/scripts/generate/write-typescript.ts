import { isObject } from './documents.ts';

export const formatBanner = (...sources: string[]): string =>
  `// Machine-written by \`npm run generate\` from ${sources.join(', ')}. Do not edit.\n`;

export const formatString = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

export const formatKey = (name: string): string => (/^([A-Za-z_$][\w$]*|0|[1-9]\d*)$/.test(name) ? name : formatString(name));

function formatLiteral(value: unknown): string {
  if (typeof value === 'string') return formatString(value);
  if (Array.isArray(value)) return `[${value.map(formatLiteral).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${formatKey(name)}: ${formatLiteral(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** @param depth the number of outer levels with one member per line; deeper objects are written on one line */
export function formatObject(value: object, depth = 1, indent = ''): string {
  const members = Object.entries(value).map(([name, member]) => {
    const text = depth > 1 && isObject(member) ? formatObject(member, depth - 1, `${indent}  `) : formatLiteral(member);
    return `${indent}  ${formatKey(name)}: ${text},\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

/** Formats a union of literals after a colon or an equals sign. An empty union is `never`. */
export function formatUnion(values: readonly (string | number | boolean)[], indent = '  '): string {
  if (values.length === 0) return ' never';
  const line = values.map(formatLiteral).join(' | ');
  return line.length < 100 ? ` ${line}` : values.map((value) => `\n${indent}| ${formatLiteral(value)}`).join('');
}
