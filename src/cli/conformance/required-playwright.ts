import { createRequire } from 'node:module';
import { UsageError } from '../usage-error.ts';

const PLAYWRIGHT_PACKAGE = '@playwright/test';
const require = createRequire(import.meta.url);

/**
 * @param from the file from which the package is resolved
 * @throws UsageError with the command that installs it
 */
export function requirePlaywright(from = import.meta.url): void {
  const { optionalDependencies } = require('experience-provider-kit/package.json') as { optionalDependencies: Record<string, string> };
  const needed = optionalDependencies[PLAYWRIGHT_PACKAGE];
  const found = findInstalledVersion(from);
  if (found === needed) return;
  // For xpk, npm installs exactly the needed version, so a different version belongs to another package.
  const state = found === undefined ? 'which is not installed' : `but finds ${found}, which belongs to another package`;
  throw new UsageError(
    `xpk conformance needs ${PLAYWRIGHT_PACKAGE} ${needed}, ${state}. It is an optional dependency, and the project was installed without optional dependencies. To install it: npm install --include=optional`,
  );
}

function findInstalledVersion(from: string): string | undefined {
  try {
    return (createRequire(from)(`${PLAYWRIGHT_PACKAGE}/package.json`) as { version: string }).version;
  } catch {
    return undefined;
  }
}
