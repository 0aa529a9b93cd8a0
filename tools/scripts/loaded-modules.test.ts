import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createKit, type Kit } from '../../src/kit.ts';

// The number of loaded modules measures start-up time independently of the machine.

/** When a process ends, writes the URLs of all loaded files to file descriptor 3. */
const REPORTER = `
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
const files = new Set();
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) files.add(url); return next(url, context); } });
process.on('exit', () => writeSync(3, JSON.stringify([...files])));`;

let kit: Kit;
before(async () => {
  assert.ok(existsSync('dist'), 'These tests need the build. Run: npm run build');
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

/** @param onFirstLine called with the first line of output, before the process is stopped */
async function listLoadedFiles(args: readonly string[], onFirstLine?: (line: string) => Promise<unknown>): Promise<string[]> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const preload = `data:text/javascript,${encodeURIComponent(REPORTER)}`;
  const child = spawn(process.execPath, ['--import', preload, 'src/cli/xpk.cjs', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const files = json(child.stdio[3] as import('node:stream').Readable) as Promise<string[]>;
  const ended = once(child, 'exit');
  if (onFirstLine) {
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    await onFirstLine(line);
    child.kill();
  } else child.stdout!.resume();
  assert.equal((await ended)[0], 0);
  return files;
}

/** In the bundle, a comment names each module's source. */
function listModules(files: readonly string[]): string[] {
  return files.flatMap((file) => readFileSync(fileURLToPath(file), 'utf8').match(/^\/\/ (src|node_modules)\/.*/gm) ?? file);
}

function expectModuleCount(files: readonly string[], recorded: number): void {
  const modules = listModules(files);
  assert.ok(
    modules.length <= recorded * 1.05 + 5,
    `The number of loaded modules was ${recorded}, and is now ${modules.length}:\n${modules.join('\n')}`,
  );
}

test('xpk --version loads no command', async () => expectModuleCount(await listLoadedFiles(['--version']), 21));

test('a control command loads no other command', async () => expectModuleCount(await listLoadedFiles(['inbox', '--url', kit.url]), 133));

test('xpk start loads few files before its first response', async () => {
  const files = await listLoadedFiles(['start', '--port', '0', '--json'], async (line) => {
    const { url } = JSON.parse(line) as { url: string };
    assert.equal((await fetch(`${url}/_control/health`)).status, 200);
  });
  expectModuleCount(files, 780);
});
