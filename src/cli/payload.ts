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

/** @param earlier the headers from earlier `--header` options */
export function parseHeader(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const colon = text.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('The value must be a name, a colon and a value, such as X-Test:yes.');
  const name = text.slice(0, colon).trim();
  if (Object.keys(earlier).some((other) => other.toLowerCase() === name.toLowerCase()))
    throw new InvalidArgumentError(`The header ${name} is given twice.`);
  return { ...earlier, [name]: text.slice(colon + 1).trim() };
}
