import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The configuration is a .ts file in the repository and a .js file in the package, like this file.
const extension = extname(fileURLToPath(import.meta.url));
const config = fileURLToPath(new URL(`../playwright.config${extension}`, import.meta.url));

export interface PlaywrightRun {
  /** The path of the reporter, which is the only source of the results. */
  readonly reporter: string;
  /** A folder for this run only, because Playwright empties it. */
  readonly output: string;
  /** Variables that are added to the environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Further arguments of `playwright test`. */
  readonly args?: readonly string[];
}

/**
 * Runs the checks with the Playwright that this package depends on. The first Ctrl-C lets running checks finish and remove what they
 * created. A second Ctrl-C stops them at once.
 *
 * @returns true if a signal ended the run.
 */
export async function runPlaywright({ reporter, output, environment, args = [] }: PlaywrightRun): Promise<boolean> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  // A run without checks succeeds, because a profile may exclude every check that was selected.
  const fixed = ['test', '--config', config, '--reporter', reporter, '--output', output, '--pass-with-no-tests'];
  const child = spawn(process.execPath, [cli, ...fixed, ...args], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
    // In its own process group, because a terminal sends Ctrl-C to every process of a group, and a second signal stops the child at once.
    detached: true,
  });
  let signals = 0;
  const stop = () => {
    signals += 1;
    if (signals === 1) process.stderr.write('\nStopping: the checks remove what they created. Press Ctrl-C again to stop at once.\n');
    child.kill('SIGINT');
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', () => resolve());
    });
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
  return signals > 0;
}
