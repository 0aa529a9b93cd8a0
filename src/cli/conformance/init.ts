import { constants, copyFile } from 'node:fs/promises';
import { packageFile } from '../../world/package-files.ts';
import { UsageError } from '../usage-error.ts';

/** `xpk conformance init`: writes a commented profile; never over a file that is there. @throws UsageError */
export async function writeProfile(file: string): Promise<void> {
  try {
    await copyFile(packageFile('conformance/profiles/template.yaml'), file, constants.COPYFILE_EXCL);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new UsageError(`${file} is there already. Name another file: xpk conformance init FILE`);
    throw new UsageError(`${file} cannot be written: ${message}`);
  }
  console.log(`${file} is written. Fill it in, then: xpk conformance --profile ${file}`);
}
