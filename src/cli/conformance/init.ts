import { readFile, writeFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { parse } from 'yaml';
import type { ProfileStep } from '../../report/profile-members.ts';
import { resolvePackageFile } from '../../world/package-files.ts';
import { UsageError } from '../usage-error.ts';
import { createProfileTemplate, type Schema } from './profile-template.ts';

/** @throws UsageError if the file exists or cannot be written */
export async function writeProfile(file: string): Promise<void> {
  const text = await createProfileText();
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code, errno } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${file} exists already. Name another file: xpk conformance init FILE`);
    throw new UsageError(`${file} cannot be written: ${getSystemErrorMessage(errno!)}.`);
  }
}

export async function createProfileText(): Promise<string> {
  const readPackageFile = (path: string) => readFile(resolvePackageFile(path), 'utf8');
  const schema = parse(await readPackageFile('conformance/profile.schema.yaml')) as Schema;
  return createProfileTemplate(schema, parse(await readPackageFile('conformance/profiles/steps.yaml')) as ProfileStep[]);
}
