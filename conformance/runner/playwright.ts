import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveSuiteFile } from './suite-files.ts';

export const WORKERS_VARIABLE = 'XPK_CONFORMANCE_WORKERS';

export interface PlaywrightRun {
  readonly reporter: string;
  /** The output folder. Use the folder only for this run, because Playwright empties it. */
  readonly output: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Default: the number in the Playwright configuration. */
  readonly workers?: number | undefined;
  readonly args?: readonly string[];
}

/**
 * Runs the checks with Playwright. After the first Ctrl-C, the running checks finish and clean up. A second Ctrl-C stops them at once.
 * @returns true if a signal ended the run
 */
export async function runPlaywright({ reporter, output, environment, workers, args = [] }: PlaywrightRun): Promise<boolean> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  // A profile may exclude every selected check, so a run without checks must succeed.
  const fixed = [
    `--config=${resolveSuiteFile('playwright.config')}`,
    `--reporter=${reporter}`,
    `--output=${output}`,
    '--pass-with-no-tests',
  ];
  const child = spawn(process.execPath, [cli, 'test', ...fixed, ...args], {
    env: {
      // Cache compiled code, because each worker loads about 2 MB of code.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      ...process.env,
      ...environment,
      // Prevent Playwright from highlighting source code, which no report contains.
      FORCE_COLOR: '0',
      ...(workers !== undefined && { [WORKERS_VARIABLE]: `${workers}` }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    // Run the child in its own process group. Otherwise, the child would get each Ctrl-C twice and stop at once.
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
    await once(child, 'close');
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
  return signals > 0;
}
