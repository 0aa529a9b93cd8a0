import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PACKAGE_ROOT = dirname(createRequire(import.meta.url).resolve('experience-provider-kit/package.json'));
const IS_SOURCE = import.meta.url.endsWith('.ts');

/** Contains the suite's files: the sources in the repository, or the bundled files in the package. */
export const SUITE_FOLDER = join(PACKAGE_ROOT, IS_SOURCE ? 'conformance' : 'dist/conformance');

/** @param name the file's path in the suite, without its extension */
export function resolveSuiteFile(name: string): string {
  return join(SUITE_FOLDER, `${name}${IS_SOURCE ? '.ts' : '.js'}`);
}
