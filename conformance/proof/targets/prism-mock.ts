import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { profileTarget } from '../../runner/profile-target.ts';
import type { KnownServer } from '../server.ts';
import { stagingProfile } from './staging-world.ts';

/** The mock knows no tokens and no ids, so the profile names some for everything: every check runs as far as it can. */
const profile: Profile = {
  ...stagingProfile,
  allow: { write: true },
  tokens: {
    full: 'any-token-full',
    reader: 'any-token-reader',
    outsider: 'any-token-outsider',
    secondCredential: 'any-token-of-another',
    withoutClaim: 'any-token-without-claim',
    withoutClaimAndScope: 'any-token-without-claim-and-scope',
    expired: 'any-token-expired',
    withoutScope: {
      'experience-assignability:check': 'any-token-without-scope-1',
      'experience-assignments:manage': 'any-token-without-scope-2',
      'experience-connections:manage': 'any-token-without-scope-3',
      'users:manage': 'any-token-without-scope-4',
    },
  },
  users: {
    ...stagingProfile.users,
    readModelBoundMs: 100,
    sort: {
      fields: { createdAt: 'createdAt', updatedAt: 'updatedAt', firstName: 'firstName', lastName: 'lastName' },
      ascending: 'asc',
      descending: 'desc',
    },
  },
};

/** Starts `prism mock`, which validates requests against the contract and responds with its examples. */
export async function openPrismMock(): ReturnType<KnownServer['open']> {
  const prism = await startPrism();
  const proxy = await startProxy(prism.url);
  return {
    ...(await profileTarget(profile, { baseUrl: proxy.url })),
    async close() {
      await proxy.close();
      await prism.close();
    },
  };
}

interface Running {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

const CLI = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
const CONTRACT = fileURLToPath(new URL('../../../src/contract/generated/openapi.json', import.meta.url));
const TIMEOUT_MS = 30_000;

async function startPrism(): Promise<Running> {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = spawn(process.execPath, [CLI, 'mock', CONTRACT, '--host', '127.0.0.1', '--port', '0'], {
    // If NODE_ENV is production, Prism forks a child process and crashes.
    env: { ...environment, NODE_ENV: '', NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async () => {
    kill();
    await ended;
    process.off('exit', kill);
  };
  try {
    return { url: await addressOf(child), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Reads the address from Prism's output, and keeps reading: Prism prints lines for every request and would block on a full pipe. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`Prism did not start within ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Prism exited with ${code} before it was listening`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [, address] = /listening on .*?(http:\/\/[\d.]+:\d+)/.exec(line) ?? [];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
  });
}

interface CachedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Saves time without changing responses. Prism never responds to a body that is not JSON, so the proxy closes such a connection at once. And it
 * repeats responses to repeated requests, because the lists of the mock have no end.
 */
async function startProxy(prismUrl: string): Promise<Running> {
  const cache = new Map<string, Promise<CachedResponse>>();
  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (body !== '' && !isJson(body)) throw new Error('Prism does not respond to this');
    const { method, url, headers } = incoming;
    const key = JSON.stringify([method, url, headers, body]);
    const pending = cache.get(key) ?? forward(`${prismUrl}${url}`, incoming, body);
    cache.set(key, pending);
    const { status, headers: responseHeaders, text } = await pending;
    response.writeHead(status, responseHeaders).end(text);
  }

  const server = createServer((incoming, response) => void respond(incoming, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function forward(url: string, { method = 'GET', headers }: IncomingMessage, body: string): Promise<CachedResponse> {
  const response = await fetch(url, { method, headers: withoutConnectionHeaders(Object.entries(headers)), ...(body !== '' && { body }) });
  return { status: response.status, headers: withoutConnectionHeaders([...response.headers]), text: await response.text() };
}

const CONNECTION_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'];

function withoutConnectionHeaders(headers: readonly (readonly [name: string, value: unknown])[]): Record<string, string> {
  const others = headers.filter(([name]) => !CONNECTION_HEADERS.includes(name));
  return Object.fromEntries(others.map(([name, value]) => [name, String(value)]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
