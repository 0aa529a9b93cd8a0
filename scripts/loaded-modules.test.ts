import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createKit, type Kit } from '../src/kit.ts';

// Loading modules is most of the time that a start takes, so their number is a measure of the start-up time that does not depend on the
// machine.

/** Writes the URLs of all files that a process loads to the file descriptor 3 when the process ends. */
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

/** Runs `xpk` from the build. @param answer called with the first line of output; the process is then stopped */
async function filesLoadedBy(args: readonly string[], answer?: (line: string) => Promise<unknown>): Promise<string[]> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const preload = `data:text/javascript,${encodeURIComponent(REPORTER)}`;
  const child = spawn(process.execPath, ['--import', preload, 'bin/xpk.cjs', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const files = json(child.stdio[3] as import('node:stream').Readable) as Promise<string[]>;
  const ended = once(child, 'exit');
  if (answer) {
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    await answer(line);
    child.kill();
  } else child.stdout!.resume();
  assert.equal((await ended)[0], 0);
  return files;
}

/** Returns the modules in the loaded files. In the bundle, a comment with the path of its source precedes each module. */
function modulesIn(files: readonly string[]): string[] {
  return files.flatMap((file) => readFileSync(fileURLToPath(file), 'utf8').match(/^\/\/ (src|node_modules)\/.*/gm) ?? file);
}

/** @param was the number of modules when this test was written. A few more are no reason to fail. */
function expectAbout(files: readonly string[], was: number): void {
  const modules = modulesIn(files);
  assert.ok(modules.length <= was * 1.05 + 5, `The number of loaded modules was ${was}, is ${modules.length}:\n${modules.join('\n')}`);
}

test('xpk --version loads no command', async () => expectAbout(await filesLoadedBy(['--version']), 21));

test('a control command loads no other command', async () => expectAbout(await filesLoadedBy(['inbox', '--url', kit.url]), 133));

test('xpk start loads few files up to its first answer', async () => {
  const files = await filesLoadedBy(['start', '--port', '0', '--json'], async (line) => {
    const { url } = JSON.parse(line) as { url: string };
    assert.equal((await fetch(`${url}/_control/health`)).status, 200);
  });
  expectAbout(files, 740);
});
