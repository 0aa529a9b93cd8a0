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
const CONTRACT = fileURLToPath(new URL('../../../src/contract/generated/openapi.json', import.meta.url));
const PATIENCE_MS = 30_000;

/** Starts Prism as a mock that answers with examples of the contract. */
export async function startPrismMock(): Promise<Prism> {
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
    const late = setTimeout(() => reject(new Error(`Prism did not start within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
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
