import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import { resolveProfileTarget } from '../../runner/profile-target.ts';
import type { OpenServer } from '../server.ts';
import { SORT_FIELDS, stagingProfile, stagingTokens } from './staging-world.ts';

/** Invented tokens and ids, which Prism accepts, let every check run at least partly. */
const profile: Profile = {
  // What random sequences find first in a server that stores nothing differs from run to run.
  explore: { seconds: 0 },
  ...stagingProfile,
  // Prism never responds to a body that is not JSON.
  timeoutSeconds: 3,
  allow: { write: true },
  tokens: { ...stagingTokens((name) => `any-token-${name}`), expired: 'any-token-expired' },
  users: {
    ...stagingProfile.users,
    readModelBoundMs: 100,
    sort: { fields: SORT_FIELDS, ascending: 'asc', descending: 'desc' },
  },
};

const CLI = createRequire(import.meta.url).resolve('@stoplight/prism-cli/dist/index.js');
/** Use the hand-written contract, because the published one lacks constraints, such as the format of targetValue for each targetType. */
const CONTRACT = fileURLToPath(new URL('../../../openapi/openapi.yaml', import.meta.url));

/** Starts `prism mock`, which validates requests and responds with the contract's examples. */
export async function openPrismMock(): Promise<OpenServer> {
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const child = spawn(process.execPath, [CLI, 'mock', CONTRACT, '--host', '127.0.0.1', '--port', '0'], {
    // Prism forks a child process that crashes if NODE_ENV is `production`.
    env: { ...environment, NODE_ENV: '', NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  return {
    ...(await resolveProfileTarget(profile, { baseUrl: await addressOf(child) })),
    async [Symbol.asyncDispose]() {
      kill();
      process.off('exit', kill);
    },
  };
}

/** Reads the address from Prism's output. Keeps reading, because Prism would block on a full pipe. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Prism exited with ${code} before it was listening`)));
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const address = /listening on .*?(http:\/\/[\d.]+:\d+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}
