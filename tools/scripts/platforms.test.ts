import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { suite, test } from 'node:test';

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: string;
  readonly cpu?: string;
  readonly libc?: string;
  readonly hasInstallScript?: boolean;
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

suite('installing and starting need neither a shell nor a platform-specific binary', () => {
  test('no dependency has an install script, and only optional dependencies require a particular platform', () => {
    const packages = Object.entries(readJson('package-lock.json').packages as Record<string, LockedPackage>);
    const installed = packages.filter(([path, { dev }]) => path !== '' && !dev);
    assert.ok(installed.length > 0);
    const bound = installed.filter(
      ([, { os, cpu, libc, hasInstallScript, optional }]) => hasInstallScript || ((os ?? cpu ?? libc) && !optional),
    );
    assert.deepEqual(bound, []);
  });

  test('every dependency has an exact version', () => {
    const { dependencies, optionalDependencies, devDependencies } = readJson('package.json') as Record<string, Record<string, string>>;
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }))
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$|^file:tools\/runtime$/, name);
  });

  test('the scripts in package.json run Node.js programs and use no shell syntax', () => {
    for (const [name, command] of Object.entries(readJson('package.json').scripts as Record<string, string>))
      assert.match(command, /^(node|npm run) [\w./:@-]+( [\w./=-]+)*$/, name);
  });

  test('Yarn 1 prints no warning about workspaces when it installs the package', () =>
    assert.equal(readJson('package.json').workspaces, undefined));

  test('xpk starts without any other program in the PATH', async () => {
    const env = { PATH: '', SystemRoot: process.env.SystemRoot };
    const child = spawn(process.execPath, ['src/cli/xpk.cjs', 'start', '--port', '0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    assert.equal((await fetch(`${JSON.parse(line).url}/users/nobody`)).status, 401);
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
});

suite('under an older Node.js, the message contains the required version', () => {
  const runProgram = (...args: string[]) => {
    const older = `Object.defineProperty(process, 'version', { value: 'v22.18.0' });
      Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } });`;
    return spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(older)}`, ...args], { encoding: 'utf8' });
  };

  test('xpk prints one line', () => {
    const { status, stderr } = runProgram('src/cli/xpk.cjs', 'start');
    assert.deepEqual([status, stderr.trim().split('\n').length], [1, 1]);
    assert.match(stderr, /needs Node\.js 22\.19 or later; this is v22\.18\.0/);
  });

  for (const [title, program] of [
    ['an import', "import('experience-provider-kit').catch(({ message }) => console.log(message))"],
    ['a require', "try { require('experience-provider-kit') } catch ({ message }) { console.log(message) }"],
  ] as const) {
    test(`${title} of the package fails, and its error message is one line`, () => {
      assert.match(
        runProgram('-e', program).stdout,
        /^experience-provider-kit needs Node\.js 22\.19 or later, but it runs on v22\.18\.0 .*\n$/,
      );
    });
  }
});
