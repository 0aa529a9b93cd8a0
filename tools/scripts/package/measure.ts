import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE_PATTERN = /node_modules\/(@[^/]+\/)?[^/@.][^/]*\/package\.json$/;

/** Counts a package that is linked several times once. Ignores the compile cache, which the package's use creates. */
export function measure(folder: string): { packages: number; megabytes: number } {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = new Set(entries.map(({ parentPath, name }) => realpathSync(join(parentPath, name))));
  const installed = [...paths].filter((path) => !path.includes('/node_modules/.cache/'));
  const bytes = installed.map((path) => statSync(path).size).reduce((sum, size) => sum + size, 0);
  return { packages: installed.filter((path) => PACKAGE_PATTERN.test(path)).length, megabytes: Math.round(bytes / 100_000) / 10 };
}
