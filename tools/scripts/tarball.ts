// Checks the packed and installed package.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { installPackage, runNpm } from './installed-package.ts';
import { checkManagers } from './package/managers.ts';
import { checkClient, checkConformance, checkLibrary, checkRequire, checkStart, compile, type Project, runXpk } from './package/use.ts';
import { findPackedFileProblems } from './packed-files.ts';

const MAX_PACKAGES = 10;
const MAX_MEGABYTES = 15;

const installed = installPackage();
const installedPackage = join(installed, 'node_modules/experience-provider-kit');
// Programs in this folder find the installed package.
using temporary = mkdtempDisposableSync(join(installed, 'checks-'));
const folder = temporary.path;
const project: Project = { folder, installed: installedPackage, node: process.execPath };
const runCommand = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

checkFiles();
checkDependencies();
await checkAlone();
checkFixture();
checkReports();
checkExample();
await checkVersions();
await checkOtherManagers();
checkOldNode();
console.log('The package can be installed and started, and installs no development packages.');

function checkFiles(): void {
  const problems = findPackedFileProblems(installedPackage);
  if (problems.length > 0) throw new Error(`Some packed files cannot work in the installed package:\n${problems.join('\n')}`);
}

function checkDependencies(): void {
  const { packages } = JSON.parse(readFileSync(join(installed, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { optional?: boolean }>;
  };
  const required = Object.keys(packages).filter((path) => packages[path]?.optional !== true);
  const bytes = required.map((path) => measureFolder(join(installed, path))).reduce((sum, size) => sum + size);
  const megabytes = bytes / 1_000_000;
  console.log(
    `Installs ${required.length} packages with ${megabytes.toFixed(1)} MB, and ${Object.keys(packages).length} with the optional ones`,
  );
  if (Object.keys(packages).length > MAX_PACKAGES || megabytes > MAX_MEGABYTES)
    throw new Error(`The package may install ${MAX_PACKAGES} packages at most, and ${MAX_MEGABYTES} MB without the optional ones.`);
  const missing = Object.values(packageJson.exports)
    .flatMap(listPaths)
    .filter((path) => !existsSync(join(installedPackage, path)));
  if (missing.length > 0) throw new Error(`The package exports files that it does not contain: ${missing.join(', ')}`);
}

type Target = string | { readonly [condition: string]: Target };

function listPaths(target: Target): string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(listPaths);
}

/** @returns the number of bytes in a package's files, without the compile cache that its use creates */
function measureFolder(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const packed = files.filter(({ parentPath }) => !parentPath.startsWith(join(path, 'node_modules')));
  return packed.map((file) => statSync(join(file.parentPath, file.name)).size).reduce((sum, size) => sum + size, 0);
}

/** Only `xpk conformance` needs another package. */
async function checkAlone(): Promise<void> {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'xpk alone-'));
  const alone = join(temporary.path, 'node_modules/experience-provider-kit');
  cpSync(installedPackage, alone, { recursive: true, filter: (path) => !path.startsWith(join(installedPackage, 'node_modules')) });
  const project: Project = { folder: temporary.path, installed: alone, node: process.execPath };
  await checkStart(project);
  checkLibrary(project);
  checkRequire(project);
  checkClient(project);
  console.log('Without any other package, xpk start, createKit and its types, a require, and xpk check client work');
}

function checkFixture(): void {
  const program = `import { expect, test } from 'experience-provider-kit/playwright';

test('a test has a world', async ({ request, world }) => {
  const headers: Record<string, string> = { authorization: \`Bearer \${await world.mint()}\` };
  expect((await request.get('users/nobody', { headers })).status()).toBe(404);
});
`;
  writeFileSync(join(folder, 'world.spec.ts'), program);
  compile(folder, 'world.spec.ts', '--noEmit', '--skipLibCheck', 'true');
  const printed = runCommand('npx', 'playwright', 'test', 'world.spec.ts', '--reporter', 'line');
  if (!printed.includes('1 passed')) throw new Error(`The Playwright test with a world should pass, but printed:\n${printed}`);
  console.log('A Playwright test has a world of its own');
}

function checkReports(): void {
  const listed = runXpk(project, 'conformance', '--list').trim().split('\n').length;
  checkConformance(project);
  const reports = readdirSync(join(folder, 'conformance-report')).sort().join(' ');
  if (reports !== 'index.html junit.xml report.md results.json')
    throw new Error(`The report folder should contain index.html, junit.xml, report.md and results.json, but contains ${reports}`);
  console.log(`npx xpk conformance works: the list has ${listed} rules, and two were tested`);
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

/** The oldest Node.js that the package supports, and the newest of each line that gets fixes. The other checks run on this process's version. */
async function checkVersions(): Promise<void> {
  if (process.platform !== 'linux') return console.log('Skipped other Node.js versions, because their packages are for Linux.');
  const oldest = `${packageJson.engines.node.replace('>=', '')}.0`;
  const runtimes = join(folder, 'runtimes');
  mkdirSync(runtimes);
  writeFileSync(join(runtimes, 'package.json'), '{"private":true}');
  const name = `node-linux-${process.arch}`;
  runNpm(runtimes, 'install', ...[oldest, '22', '26'].map((version) => `node-${version}@npm:${name}@${version}`));
  for (const version of [oldest, '22', '26']) {
    const onVersion = { ...project, node: join(runtimes, `node_modules/node-${version}/bin/node`) };
    await checkStart(onVersion);
    checkLibrary(onVersion);
    checkRequire(onVersion);
    checkClient(onVersion);
    checkConformance(onVersion);
    console.log(`Under ${runCommand(onVersion.node, '--version').trim()}: xpk start, createKit, xpk check client and xpk conformance work`);
  }
}

async function checkOtherManagers(): Promise<void> {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'xpk-managers-'));
  const [tarball] = globSync('*.tgz', { cwd: installed });
  await checkManagers(join(installed, tarball!), temporary.path);
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
