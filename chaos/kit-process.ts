import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Resident memory of a kit, in MB. */
export interface KitMemory {
  /** What it keeps: after a collection of garbage that gives everything else back to the system. */
  readonly settledMb: number;
  /** The most that it had since its start, garbage and reserves of V8 included. */
  readonly peakMb: number;
}

/** A kit in a process of its own, as a user starts it. */
export interface KitProcess {
  readonly url: string;
  /** SIGKILL: nothing is finished, written or closed. Resolves when the process is gone. */
  kill(): Promise<void>;
  memory(): Promise<KitMemory>;
}

const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const PROBE = ['--expose-gc', '--import', new URL('./memory-probe.ts', import.meta.url).href];
const running = new Set<ChildProcess>();

/** @param log gets each line that the kit logs, errors only. @throws Error where it ends before it listens. */
export async function startKit(args: readonly string[], log: (line: string) => void): Promise<KitProcess> {
  // Node runs the files by themselves; the loader that runs this one is not the kit's.
  const { NODE_OPTIONS: _, NODE_ENV: __, ...env } = process.env;
  const command = [...PROBE, MAIN, 'start', '--port', '0', '--json', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  running.add(child);
  const exited = once(child, 'exit').then(() => void running.delete(child));
  const said: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    said.push(line);
    // What it says of the world that it found is no log line.
    if (!line.includes('already holds the world')) log(line);
  });
  const lines = createInterface({ input: child.stdout! });
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), exited]);
  if (line === undefined)
    throw new Error(`The kit ended with ${child.exitCode ?? child.signalCode} before it listened:\n${said.join('\n')}`);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    async memory() {
      const answer = once(child, 'message');
      child.send('memory');
      return (await answer)[0] as KitMemory;
    },
  };
}

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
