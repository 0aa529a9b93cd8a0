import { createRequire } from 'node:module';
import { UsageError } from '../usage-error.ts';

const PACKAGE = '@playwright/test';
const require = createRequire(import.meta.url);

/**
 * Checks that Playwright, which runs the suite, is installed. It is an optional dependency, because a kit runs without it.
 * @param from the file whose packages are searched
 * @throws UsageError with the command that installs it
 */
export function requirePlaywright(from = import.meta.url): void {
  const { optionalDependencies } = require('experience-provider-kit/package.json') as { optionalDependencies: Record<string, string> };
  const needed = optionalDependencies[PACKAGE];
  const found = installedVersion(from);
  if (found === needed) return;
  // npm installs the needed version in a folder of its own if the project has another one.
  const state = found === undefined ? 'which is not installed' : `but finds ${found}, which belongs to another package`;
  throw new UsageError(
    `xpk conformance needs ${PACKAGE} ${needed}, ${state}. It is an optional dependency: the project was installed without those. To install it: npm install --include=optional`,
  );
}

function installedVersion(from: string): string | undefined {
  try {
    return (createRequire(from)(`${PACKAGE}/package.json`) as { version: string }).version;
  } catch {
    return undefined;
  }
}
