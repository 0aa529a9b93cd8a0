import { constants, copyFile } from 'node:fs/promises';
import { packageFile } from '../../world/package-files.ts';
import { UsageError } from '../usage-error.ts';

/** Writes a profile template with comments. Does not overwrite an existing file. @throws UsageError */
export async function writeProfile(file: string): Promise<void> {
  try {
    await copyFile(packageFile('conformance/profiles/template.yaml'), file, constants.COPYFILE_EXCL);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${file} exists already. Name another file: xpk conformance init FILE`);
    throw new UsageError(`${file} cannot be written: ${message}`);
  }
  console.log(`Wrote ${file}. Fill it in, then run: xpk conformance --profile ${file}`);
}
