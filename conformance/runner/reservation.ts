import { createHash } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TargetSettings } from '../target/target-settings.ts';
import { TargetError } from './target-error.ts';

/**
 * Reserves a profile's accounts, because a second run on this machine would disturb this one. Does nothing for a run that only reads.
 * @returns a function that ends the reservation
 * @throws TargetError if another process has reserved the accounts
 */
export async function reserveAccounts({ baseUrl, profile: { accounts, allow, hooks } }: TargetSettings): Promise<() => Promise<void>> {
  if (!allow?.write && !allow?.rate && hooks === undefined) return async () => {};
  const key = createHash('sha256').update(JSON.stringify([baseUrl, accounts?.main, accounts?.second]));
  const file = join(tmpdir(), `xpk-conformance-${key.digest('hex').slice(0, 16)}.pid`);
  for (;;) {
    // Link the file to its final name after writing, so that no process reads an empty file.
    const written = `${file}.${process.pid}`;
    await writeFile(written, `${process.pid}`);
    try {
      await link(written, file);
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(written, { force: true });
    }
    const owner = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isRunning(owner))
      throw new TargetError(
        `Another run (process ${owner}) is testing ${baseUrl} with the same accounts, so the two runs would disturb each other. Wait until the other run has ended.`,
      );
    // The process that wrote the file has ended without removing it.
    await rm(file, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (pid === 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
