import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_LENGTH = 500;

/** The output goes through files, because a background process would keep a pipe open. @throws CommandError */
export async function runCommand(command: string, option: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-command-'));
  const [out, err] = [join(folder, 'out'), join(folder, 'err')];
  const files = [openSync(out, 'w'), openSync(err, 'w')] as const;
  try {
    const problem = await runInShell(command, files);
    if (problem === undefined) return readFileSync(out, 'utf8');
    const printed = readFileSync(err, 'utf8').trim().slice(-MAX_OUTPUT_LENGTH);
    throw new CommandError(`The ${option} command ${problem}: ${command}${printed && `\n${printed}`}`);
  } finally {
    for (const file of files) closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns why the command failed, or undefined for status 0. */
function runInShell(command: string, [out, err]: readonly [number, number]): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(command, { shell: true, stdio: ['ignore', out, err] });
  const timer = setTimeout(() => {
    child.kill();
    resolve(`did not end within ${TIMEOUT_MS / 1000} s (start long-running programs in the background)`);
  }, TIMEOUT_MS);
  child.once('error', (error) => resolve(`could not be started (${error.message})`));
  child.once('exit', (status, signal) => resolve(status === 0 ? undefined : `ended with ${signal ?? `status ${status}`}`));
  return promise.finally(() => clearTimeout(timer));
}
