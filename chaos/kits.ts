import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventTypes } from '../src/contract/generated/events.ts';
import type { World } from '../src/world/world.ts';

/** A kit that runs in its own process, started with `xpk start`. */
export interface KitProcess {
  readonly url: string;
  /** Sends SIGKILL to the kit. Resolves when the process has ended. */
  kill(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a kit. @param onError is called with each line that the kit writes to stderr. @throws Error if the kit ends before it listens */
export async function startKit(args: readonly string[], onError: (line: string) => void): Promise<KitProcess> {
  const { NODE_ENV: _, ...env } = process.env;
  const command = [MAIN, 'start', '--port', '0', '--json', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env });
  running.add(child);
  const exited = once(child, 'exit').then(() => void running.delete(child));
  // A restarted kit reports that its database already contains a world. That message is expected.
  createInterface({ input: child.stderr }).on('line', (line) => line.includes('already has the world') || onError(line));
  const firstLine = once(createInterface({ input: child.stdout }), 'line');
  const line = await Promise.race([firstLine.then(([text]) => String(text)), exited]);
  if (line === undefined) throw new Error(`The kit ended with ${child.exitCode ?? child.signalCode} before it listened for requests`);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Sends a request with a JSON body. @throws Error if there is no complete response */
export async function send(url: string, method: string, path: string, body?: object | string, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const response = await fetch(`${url}${path}`, { method, headers, ...(text !== undefined && { body: text }) });
  return { status: response.status, ok: response.ok, text: await response.text() };
}

export const EXPERIENCE = '0190f000-0000-7000-8000-000000000001';
export const ACCOUNT = 'account';

/**
 * Returns a world whose account is assigned to an Experience, so that changes of users are published.
 * @param destinations the URLs of receivers; each receiver gets a subscription to all events
 */
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

/** Writes a fixtures file with `chaosWorld`. @returns the path of the file */
export function writeWorld(folder: string, destinations: readonly string[]): string {
  const path = join(folder, 'world.yaml');
  // Fixtures are YAML, and every JSON text is also YAML.
  writeFileSync(path, JSON.stringify(chaosWorld(destinations)));
  return path;
}
