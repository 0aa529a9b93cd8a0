import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Prism {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

const CLI = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
const CONTRACT = fileURLToPath(new URL('../../src/contract/generated/openapi.json', import.meta.url));
const PATIENCE_MS = 30_000;

/** Prism as a mock that answers examples of the contract, or as a proxy that judges the answers of another server by it. @param upstream of the proxy */
export async function startPrism(command: 'mock'): Promise<Prism>;
export async function startPrism(command: 'proxy', upstream: string): Promise<Prism>;
export async function startPrism(command: 'mock' | 'proxy', ...upstream: string[]): Promise<Prism> {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = spawn(process.execPath, [CLI, command, CONTRACT, ...upstream, '--host', '127.0.0.1', '--port', '0'], {
    // Where NODE_ENV is production Prism forks, and crashes.
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

/** Read from what Prism prints: it goes on printing a line or two for each request, which has to be read, too. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`Prism is not there after ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Prism ended with ${code} before it was there`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const [, address] = /listening on .*?(http:\/\/[\d.]+:\d+)/.exec(line) ?? [];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
  });
}
