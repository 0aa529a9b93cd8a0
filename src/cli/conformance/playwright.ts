import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunSettings, runEnvironment } from '../../../conformance/runner/run-settings.ts';
import { type TargetSettings, targetEnvironment } from '../../../conformance/target/target-settings.ts';

// From the sources the suite is TypeScript; in the package it is compiled, as this file is.
const ending = extname(fileURLToPath(import.meta.url));
const suite = fileURLToPath(new URL('../../../conformance/', import.meta.url));

/**
 * Runs the checks with the Playwright that this package resolves, on the Node that this runs on. The first Ctrl-C lets the checks under way end and
 * remove what they made; a second one ends at once.
 *
 * @param output a folder of its own, which Playwright empties.
 * @returns true if the run was ended by a signal.
 */
export async function runPlaywright(target: TargetSettings, run: RunSettings, output: string): Promise<boolean> {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const args = [
    'test',
    '--config',
    join(suite, `playwright.config${ending}`),
    '--reporter',
    join(suite, `runner/verdicts${ending}`),
    '--output',
    output,
    // A profile may take out all that was asked for.
    '--pass-with-no-tests',
    ...run.forms.flatMap((form) => ['--project', form]),
    ...workersOf(target, run),
  ];
  const child = spawn(process.execPath, [cli, ...args], {
    env: { ...process.env, ...targetEnvironment(target), ...runEnvironment(run) },
    stdio: ['ignore', 'ignore', 'inherit'],
    // In a group of its own: else a terminal's Ctrl-C would reach it, and then once more from here, which ends it at once.
    detached: true,
  });
  let signals = 0;
  const stop = () => {
    signals += 1;
    if (signals === 1) process.stderr.write('\nEnding: what the checks made is being removed. Ctrl-C once more ends at once.\n');
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

function workersOf({ requestsPerSecond, control, receiver }: TargetSettings, { workers }: RunSettings): string[] {
  // A cap on requests is kept by each worker, each would hand out a profile's numbers and users from the first on, and only one can listen to a port.
  const most = requestsPerSecond === undefined && receiver === undefined && control !== undefined ? workers : 1;
  return most === undefined ? [] : ['--workers', `${most}`];
}

/** What a shell expects of a command that ended by Ctrl-C. */
export const INTERRUPTED = 128 + constants.signals.SIGINT;
