import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** What a child runs on where the machine allows: servers and the load generator do not take each other's time. */
export type Core = 'server' | 'load';

const CORES: Record<Core, string> = { server: '0', load: '1' };

/** Whether processes can be kept to a core each. Without it, the figures by requests per second say less. */
export const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

const running = new Set<ChildProcess>();

/** The path of a file of the repository. */
export function repositoryFile(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** Starts Node with these arguments on a core of its own. It ends with this process at the latest. */
export function startNode(core: Core, args: readonly string[], { messages = true } = {}): ChildProcess {
  const command = pinned ? ['taskset', '-c', CORES[core], process.execPath] : [process.execPath];
  const [file, ...rest] = [...command, ...args] as [string, ...string[]];
  // Prism crashes where NODE_ENV is production, and Express is another one; the loader that runs this file is not the children's.
  const { NODE_ENV: _, NODE_OPTIONS: __, ...env } = process.env;
  const child = spawn(file, rest, { stdio: ['ignore', 'ignore', 'inherit', ...(messages ? (['ipc'] as const) : [])], env });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** The next message of a child. @throws when it ends before. */
export async function answerOf<T>(child: ChildProcess, request?: object): Promise<T> {
  const gone = new AbortController();
  const exit = once(child, 'exit', { signal: gone.signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`);
  });
  const answer = once(child, 'message', { signal: gone.signal }).then(([message]) => message as T);
  if (request) child.send(request);
  try {
    return await Promise.race([answer, exit]);
  } finally {
    gone.abort();
    await Promise.allSettled([answer, exit]);
  }
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
