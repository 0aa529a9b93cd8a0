// Checks the packed and installed package.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { installPackage, runNpm } from './installed-package.ts';
import { checkManagers } from './package/managers.ts';
import { measure } from './package/measure.ts';
import { checkClient, checkLibrary, checkStart, compile, compilePrograms, copyPrograms, type Project } from './package/use.ts';
import { findPackedFileProblems } from './packed-files.ts';

/** Without Playwright, which is optional. */
const MAX_MEGABYTES = 15;

const installed = installPackage();
const tarball = join(installed, globSync('*.tgz', { cwd: installed })[0]!);
const installedPackage = join(installed, 'node_modules/experience-provider-kit');
// Programs in this folder find the installed package.
using temporary = mkdtempDisposableSync(join(installed, 'checks-'));
const folder = temporary.path;
const project: Project = { folder, installed: installedPackage, runtime: [process.execPath] };
const runCommand = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

checkFiles();
checkExports();
await checkAlone();
checkFixture();
checkExample();
await checkTable();
checkOldNode();
console.log('The package can be installed and started, and installs no development packages.');

function checkFiles(): void {
  const problems = findPackedFileProblems(installedPackage);
  if (problems.length > 0) throw new Error(`Some packed files cannot work in the installed package:\n${problems.join('\n')}`);
}

function checkExports(): void {
  const missing = Object.values(packageJson.exports)
    .flatMap(listPaths)
    .filter((path) => !existsSync(join(installedPackage, path)));
  if (missing.length > 0) throw new Error(`The package exports files that it does not contain: ${missing.join(', ')}`);
}

type Target = string | { readonly [condition: string]: Target };

function listPaths(target: Target): string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(listPaths);
}

/** Only `xpk conformance` needs another package. */
async function checkAlone(): Promise<void> {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'xpk alone-'));
  const alone: Project = { ...project, folder: temporary.path, installed: join(temporary.path, 'node_modules/experience-provider-kit') };
  writeFileSync(join(alone.folder, 'package.json'), '{"private":true}');
  runNpm(alone.folder, 'install', '--omit', 'optional', tarball);
  const { packages, megabytes } = measure(join(alone.folder, 'node_modules'));
  if (packages !== 1 || megabytes > MAX_MEGABYTES)
    throw new Error(
      `Without the optional packages, the installation should be one package of ${MAX_MEGABYTES} MB at most, but is ${packages} of ${megabytes} MB.`,
    );
  compilePrograms(alone.folder);
  copyPrograms(alone.folder, folder);
  await checkStart(alone);
  checkLibrary(alone);
  checkClient(alone);
  console.log(`Without any other package, in ${megabytes} MB: xpk start, createKit and its types, a require, and xpk check client work`);
}

function checkFixture(): void {
  const program = `import { expect, test } from 'experience-provider-kit/playwright';

test('a test has a world', async ({ request, world }) => {
  const headers: Record<string, string> = { authorization: \`Bearer \${await world.mint()}\` };
  expect((await request.get('users/nobody', { headers })).status()).toBe(404);
});
`;
  writeFileSync(join(folder, 'world.spec.ts'), program);
  compile(folder, ['world.spec.ts'], '--module', 'nodenext', '--noEmit', '--skipLibCheck', 'true');
  const printed = runCommand('npx', 'playwright', 'test', 'world.spec.ts', '--reporter', 'line');
  if (!printed.includes('1 passed')) throw new Error(`The Playwright test with a world should pass, but printed:\n${printed}`);
  console.log('A Playwright test has a world of its own');
}

function checkExample(): void {
  const copy = join(folder, 'provider-app');
  cpSync(join(installedPackage, 'examples/provider-app'), copy, { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const versions: Readonly<Record<string, string>> = packageJson.devDependencies;
  // Install the dependencies beside the copy, so that npm neither reads the copy's package.json nor changes the installed package.
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  runNpm(folder, 'install', ...Object.keys(dependencies).map((name) => `${name}@${versions[name]}`));
  const { status, stdout } = spawnSync(process.execPath, ['--test', 'test/customers.test.ts'], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The tests of the provider-app example failed:\n${stdout}`);
  console.log('The provider-app example works outside the package');
}

async function checkTable(): Promise<void> {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'xpk managers-'));
  await checkManagers(project, tarball, temporary.path);
}

function checkOldNode(): void {
  const system = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
  const version = system && execFileSync(system, ['--version'], { encoding: 'utf8' }).trim();
  if (!system || !version || Number.parseInt(version.slice(1), 10) >= 22) {
    console.log('Skipped the check of the message that xpk prints under an old Node.js, because the system has none.');
    return;
  }
  const { status, stderr } = spawnSync(system, [join(installedPackage, 'src/cli/xpk.cjs'), 'start'], {
    // Variables such as NODE_OPTIONS can make Node print more lines.
    env: {},
    encoding: 'utf8',
  });
  const isOneLine = /^[^\n]*needs Node\.js 22[^\n]*$/.test(stderr.trim());
  if (status !== 1 || !isOneLine)
    throw new Error(`Under Node ${version}, xpk should exit with 1 and print one line, but printed:\n${stderr}`);
  console.log(`Under ${version}: ${stderr.trim()}`);
}
