import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { listCurrentRules, type Requirements } from '../../report/requirements.ts';
import { version } from '../../version.ts';
import { resolvePackageFile } from '../../world/package-files.ts';
import { UsageError } from '../usage-error.ts';

const FOLDER = resolvePackageFile('openapi/requirements');

/** @returns the names of the frozen sets, the oldest first */
export async function listRequirements(): Promise<string[]> {
  return (await readdir(FOLDER)).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : [])).sort();
}

/**
 * @param option the option or argument, for error messages
 * @throws UsageError if no set has the name
 */
export async function readRequirements(name: string, option: string): Promise<Requirements> {
  const known = await listRequirements();
  if (!known.includes(name))
    throw new UsageError(
      `${option} ${name}: There are no such requirements.${didYouMean(name, known)} The names are: ${known.join(', ')}.`,
    );
  return { name, ...(JSON.parse(await readFile(`${FOLDER}/${name}.json`, 'utf8')) as Omit<Requirements, 'name'>) };
}

export const getCurrentRequirements = (): Requirements => ({ kit: version, rules: listCurrentRules() });

/** Returns the reasons for changes since some release, by rule id. */
export async function readReasons(): Promise<Readonly<Record<string, string>>> {
  return (parse(await readFile(`${FOLDER}/changes.yaml`, 'utf8')) ?? {}) as Readonly<Record<string, string>>;
}
