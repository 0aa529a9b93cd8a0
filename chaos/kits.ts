import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventTypes } from '../src/contract/generated/events.ts';
import type { World } from '../src/world/world.ts';

/** Resident memory of a kit, in MB. */
export interface KitMemory {
  /** After a garbage collection that returns all unused memory to the system. */
  readonly settledMb: number;
  /** The maximum since its start, with garbage and memory that V8 reserves. */
  readonly peakMb: number;
}

/** A kit in a process of its own, started by `xpk start`. */
export interface KitProcess {
  readonly url: string;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
  memory(): Promise<KitMemory>;
}

const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const PROBE = ['--expose-gc', '--import', new URL('./memory-probe.ts', import.meta.url).href];
const running = new Set<ChildProcess>();

/** @param onError gets each error line that the kit logs. @throws Error if the kit ends before it listens */
export async function startKit(args: readonly string[], onError: (line: string) => void): Promise<KitProcess> {
  // Node strips the types by itself, so the kit does not need the loader of this process.
  const { NODE_OPTIONS: _, NODE_ENV: __, ...env } = process.env;
  const command = [...PROBE, MAIN, 'start', '--port', '0', '--json', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env });
  running.add(child);
  const exited = once(child, 'exit').then(() => void running.delete(child));
  const stderr: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => {
    stderr.push(line);
    // The notice about an existing world is not an error.
    if (!line.includes('already has the world')) onError(line);
  });
  const lines = createInterface({ input: child.stdout! });
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), exited]);
  if (line === undefined)
    throw new Error(`The kit ended with ${child.exitCode ?? child.signalCode} before it listened:\n${stderr.join('\n')}`);
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

export const EXPERIENCE = '0190f000-0000-7000-8000-000000000001';
export const ACCOUNT = 'account';

/** The account as a whole is assigned, so that changes of its users are published. @param destinations each gets a subscription to all events */
export function chaosWorld(destinations: readonly string[]): World {
  return {
    world: 'chaos',
    providers: { provider: { name: 'Provider' } },
    experiences: { experience: { id: EXPERIENCE, provider: 'provider', name: 'Experience', type: 'GENERAL' } },
    accounts: { [ACCOUNT]: { name: 'Account' } },
    principals: { principal: { name: 'Principal', accounts: { [ACCOUNT]: 'manage' } } },
    clients: { client: { provider: 'provider', name: 'Client' } },
    assignments: { whole: { experience: 'experience', targetType: 'ACCOUNT', target: ACCOUNT } },
    subscriptions: Object.fromEntries(
      destinations.map((destinationUrl, n) => [`subscription-${n}`, { provider: 'provider', types: [...eventTypes], destinationUrl }]),
    ),
    tokens: { token: { client: 'client', principal: 'principal' } },
  };
}

/** Writes a fixtures file. @returns its path */
export function writeWorld(folder: string, destinations: readonly string[]): string {
  const path = join(folder, 'world.yaml');
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(chaosWorld(destinations)));
  return path;
}
