import { readFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { InvalidArgumentError } from 'commander';
import { UsageError } from './usage-error.ts';

export function readTextOrFile(text: string): Promise<string> | string {
  if (!text.startsWith('@')) return text;
  const file = text.slice(1);
  return readFile(file, 'utf8').catch(({ errno }: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read the file ${file}: ${getSystemErrorMessage(errno!)}.`);
  });
}

const HEADER = {
  what: 'header',
  pattern: /^([^:]+):\s*(.*?)\s*$/s,
  form: 'The value must be a name, a colon and a value, such as X-Test:yes.',
  hint: '',
};
const PARAMETER = {
  what: 'parameter',
  pattern: /^(\w+)=(.+)$/s,
  form: 'The parameter must have the form name=value, such as userId=2065550001.',
  hint: ' To match several values, add a fault for each value.',
};

/**
 * @param placeholder `<name:value>` for a header, and otherwise `<name=value>`
 * @param earlier the pairs from earlier options
 */
export function parsePair(text: string, placeholder: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { what, pattern, form, hint } = placeholder.includes(':') ? HEADER : PARAMETER;
  const [, name, value] = pattern.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError(form);
  if (Object.keys(earlier).some((other) => other.toLowerCase() === name.trim().toLowerCase()))
    throw new InvalidArgumentError(`The ${what} ${name.trim()} is given twice.${hint}`);
  return { ...earlier, [name.trim()]: value };
}
