import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { XPK_FILE } from '../../testing/tested-package.ts';

/** A command that does not end fails its own test, not the whole run. */
const MAX_MS = 600_000;

/** Starts `xpk` in a process of its own. @param stdout a file descriptor, or by default a pipe */
export function startXpk(args: readonly string[], environment: NodeJS.ProcessEnv = {}, stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const options = { env: { ...process.env, ...environment }, timeout: MAX_MS };
  return spawn(process.execPath, [XPK_FILE, ...args], { ...options, stdio: ['ignore', stdout, 'pipe'] });
}

export async function waitForExit(command: ChildProcess) {
  const read = (stream: ChildProcess['stdout']) => (stream === null || stream.destroyed ? '' : text(stream));
  const [stdout, stderr, [status]] = await Promise.all([read(command.stdout), read(command.stderr), once(command, 'exit')]);
  return { stdout, stderr, status: status as number };
}
