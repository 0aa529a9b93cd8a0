import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Windows has no process groups, and there a command would get a window of its own. */
const hasProcessGroups = process.platform !== 'win32';

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 16_000_000;
const OUTPUT_CHECK_MS = 50;
const MAX_SHOWN_LENGTH = 500;

/**
 * The output goes through files, because a background process would keep a pipe open.
 * @param interrupt ends the command: a terminal's Ctrl-C does not reach its process group
 * @throws CommandError
 */
export async function runCommand(command: string, option: string, interrupt?: AbortSignal): Promise<string> {
  if (interrupt?.aborted) throw new CommandError(`The ${option} command was not run, because the check was interrupted.`);
  const folder = mkdtempSync(join(tmpdir(), 'xpk-command-'));
  const [out, err] = [join(folder, 'out'), join(folder, 'err')];
  const files = [openSync(out, 'w'), openSync(err, 'w')] as const;
  const isTooLarge = () => files.some((file) => fstatSync(file).size > MAX_OUTPUT_BYTES);
  try {
    const ended = await runInShell(command, files, () => isTooLarge() || interrupt?.aborted === true);
    if (interrupt?.aborted) throw new CommandError(`The ${option} command was ended, because the check was interrupted.`);
    const problem = isTooLarge() ? `printed more than ${MAX_OUTPUT_BYTES / 1e6} MB` : ended;
    if (problem === undefined) return readFileSync(out, 'utf8');
    const printed = isTooLarge() ? '' : readFileSync(err, 'utf8').trim().slice(-MAX_SHOWN_LENGTH);
    throw new CommandError(`The ${option} command ${problem}: ${command}${printed && `\n${printed}`}`);
  } finally {
    for (const file of files) closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns why the command failed, or undefined for status 0. Ends the command after the time limit, or when `mustEnd` returns true. */
function runInShell(command: string, [out, err]: readonly [number, number], mustEnd: () => boolean): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(command, { shell: true, stdio: ['ignore', out, err], detached: hasProcessGroups });
  const deadline = performance.now() + TIMEOUT_MS;
  const timer = setInterval(() => {
    if (performance.now() < deadline && !mustEnd()) return;
    resolve(`did not end within ${TIMEOUT_MS / 1000} s (start long-running programs in the background)`);
    endWithChildren(child);
  }, OUTPUT_CHECK_MS);
  child.once('error', (error) => resolve(`could not be started (${error.message})`));
  child.once('exit', (status, signal) => resolve(status === 0 ? undefined : `ended with ${signal ?? `status ${status}`}`));
  return promise.finally(() => clearInterval(timer));
}

function endWithChildren(child: ChildProcess): void {
  if (hasProcessGroups && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  else child.kill('SIGKILL');
}
