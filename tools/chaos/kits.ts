import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventTypes } from '../../src/contract/generated/events.ts';
import { XPK_FILE } from '../../src/testing/tested-package.ts';
import type { World } from '../../src/world/world.ts';

/** Disposing of it sends SIGKILL. */
export interface KitProcess extends AsyncDisposable {
  readonly url: string;
  /** Sends SIGKILL to the kit. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM to the kit. Resolves with the exit status, or with null if a signal ended the process. */
  stop(): Promise<number | null>;
}

const runningProcesses = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of runningProcesses) child.kill('SIGKILL');
});

/**
 * @param onError gets each line from stderr
 * @throws Error if the kit does not start
 */
export async function startKit(args: readonly string[], onError: (line: string) => void): Promise<KitProcess> {
  const { NODE_ENV: _, ...env } = process.env;
  const command = [XPK_FILE, 'start', '--port', '0', '--json', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env });
  runningProcesses.add(child);
  const exited = once(child, 'exit').then(() => void runningProcesses.delete(child));
  // A restarted kit reports that its database already contains a world. Ignore this message.
  createInterface({ input: child.stderr }).on('line', (line) => line.includes('already has the world') || onError(line));
  const firstLine = once(createInterface({ input: child.stdout }), 'line');
  const line = await Promise.race([firstLine.then(([text]) => String(text)), exited]);
  if (line === undefined) throw new Error(`The kit exited with ${child.exitCode ?? child.signalCode} before it accepted requests`);
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: (JSON.parse(line) as { url: string }).url,
    kill,
    [Symbol.asyncDispose]: kill,
    async stop() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}

/** The times are values of `performance.now()`. */
export interface Answer {
  readonly traceId: string;
  readonly status: number;
  readonly ok: boolean;
  readonly text: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** @throws Error if there is no complete response */
export async function sendRequest(url: string, method: string, path: string, body?: object | string, token?: string): Promise<Answer> {
  const { traceId, headers: trace } = createTrace();
  const headers = { ...trace, 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const sentAt = performance.now();
  const response = await fetch(`${url}${path}`, { method, headers, ...(text !== undefined && { body: text }) });
  const { status, ok } = response;
  return { traceId, status, ok, text: await response.text(), sentAt, answeredAt: performance.now() };
}

export function createTrace() {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, headers: { traceparent: `00-${traceId}-${traceId.slice(16)}-01` } };
}

export const EXPERIENCE_ID = '0190f000-0000-7000-8000-000000000001';
export const ACCOUNT_ALIAS = 'account';
export const CLIENT_SECRET = 'chaos-secret-of-the-client';
export const LOGIN_HINT = '+12065550100';
/** Nothing requests this address. */
export const REDIRECT_URI = 'http://127.0.0.1:3000/callback';

/** @param destinations the receivers' URLs; each gets all events. Undefined: the kit's inbox gets them */
export function createChaosWorld(destinations: readonly (string | undefined)[]): World {
  return {
    world: 'chaos',
    providers: { provider: { name: 'Provider' } },
    experiences: { experience: { id: EXPERIENCE_ID, provider: 'provider', name: 'Experience', type: 'GENERAL' } },
    accounts: { [ACCOUNT_ALIAS]: { name: 'Account' } },
    principals: { principal: { name: 'Principal', telephoneNumber: LOGIN_HINT, accounts: { [ACCOUNT_ALIAS]: 'manage' } } },
    clients: {
      client: { provider: 'provider', name: 'Client', secret: CLIENT_SECRET, redirectUris: [REDIRECT_URI] },
      checker: { provider: 'provider', name: 'Checker' },
    },
    assignments: { whole: { experience: 'experience', targetType: 'ACCOUNT', target: ACCOUNT_ALIAS } },
    subscriptions: Object.fromEntries(
      destinations.map((destinationUrl, n) => [
        `subscription-${n}`,
        { provider: 'provider', types: [...eventTypes], ...(destinationUrl && { destinationUrl }) },
      ]),
    ),
    tokens: { token: { client: 'client', principal: 'principal' } },
  };
}

export function writeFixtures(folder: string, destinations: readonly (string | undefined)[]): string {
  const path = join(folder, 'world.yaml');
  // Every JSON document is also valid YAML.
  writeFileSync(path, JSON.stringify(createChaosWorld(destinations)));
  return path;
}
