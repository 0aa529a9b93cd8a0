// Checks the packed and installed package.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackage, runNpm } from './installed-package.ts';
import { findPackedFileProblems } from './packed-files.ts';

const installed = installPackage();
const installedPackage = join(installed, 'node_modules/experience-provider-kit');
// Programs in this folder find the installed package.
using temporary = mkdtempDisposableSync(join(installed, 'checks-'));
const folder = temporary.path;
const runCommand = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

checkFiles();
checkDependencies();
await checkStart();
checkLibrary();
checkFixture();
checkConformance();
checkExample();
checkOldNode();
console.log('The package can be installed and started, and installs no development packages.');

function checkFiles(): void {
  const problems = findPackedFileProblems(installedPackage);
  if (problems.length > 0) throw new Error(`Some packed files cannot work in the installed package:\n${problems.join('\n')}`);
}

function checkDependencies(): void {
  const { devDependencies, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
  const development = Object.keys(devDependencies ?? {}).filter((name) => !(name in (dependencies ?? {})));
  const unwanted = development.filter((name) => existsSync(join(installed, 'node_modules', name)));
  if (unwanted.length > 0) throw new Error(`The package must not install development packages, but installs ${unwanted.join(', ')}`);
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, string | Record<string, string>> };
  const missing = Object.values(exports)
    .flatMap((target) => Object.values(typeof target === 'string' ? [target] : target))
    .filter((path) => !existsSync(join(installedPackage, path)));
  if (missing.length > 0) throw new Error(`The package exports files that it does not contain: ${missing.join(', ')}`);
}

async function checkStart(): Promise<void> {
  const command = ['xpk', 'start', '--port', '0', '--json'];
  const child = spawn('npx', command, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { url, tokens } = JSON.parse((await lines.next()).value ?? '{}') as { url: string; tokens: Record<string, string> };
    const response = await fetch(`${url}/users/nobody`, { headers: { authorization: `Bearer ${tokens.full}` } });
    if (response.status !== 404) throw new Error(`Expected a 404 for an unknown user, got ${response.status}: ${await response.text()}`);
    console.log(`npx xpk start answers at ${url}`);
  } finally {
    process.kill(-(child.pid as number), 'SIGTERM');
  }
}

function checkLibrary(): void {
  const program = `import createClient from 'openapi-fetch';
import { createKit, type Kit, type KitPaths, type KitResponse, type ProviderEvent, UsageError, type WorldExtension } from 'experience-provider-kit';

const extend: WorldExtension = { users: { zoe: { account: 'northwind' } } };
await using kit: Kit = await createKit({ port: 0, set: { 'assignments.create.duplicate': 422 }, extend });
const tokens: Readonly<Record<string, string>> = await kit.tokens();
const state: 'ACTIVE' | 'INACTIVE' = (await kit.state.add('connections', { account: 'fabrikam', experience: 'scheduler' })).state ?? 'INACTIVE';

// The responses of a kit have all members, and the events are a union on their type.
const api = createClient<KitPaths>({ baseUrl: kit.url, headers: { authorization: \`Bearer \${await kit.mint()}\` } });
const { data } = await api.GET('/experience/connections', { params: { query: { accountId: await kit.id('accounts', 'fabrikam') } } });
const ids: string[] = (data as KitResponse<'getExperienceConnections'>).entities.map(({ id }) => id);
const subject = (event: ProviderEvent): string =>
  event.type === 'provisioning.user.created' || event.type === 'provisioning.user.deleted' ? event.data.userId : event.data.providerId;
const { received } = await kit.subscribe((event) => void event.data.userId, { types: ['provisioning.user.created'] });
await kit.state.add('users', { account: 'northwind' });
await kit.settled();
const subjects: string[] = received.map(({ event }) => subject(event));
const { attempts } = await kit.clock.advance('1s');

// @ts-expect-error a user has an account, not a firstname
const invalid = kit.state.add('users', { firstname: 'Zoe' });
const isUsage = await invalid.catch((error: unknown) => error instanceof UsageError);
console.log(\`\${typeof tokens.full} \${kit.decisions['assignments.create.duplicate']} \${state} \${ids.length} \${subjects.length} \${attempts.length} \${isUsage}\`);
`;
  writeFileSync(join(folder, 'program.ts'), program);
  // Turn skipLibCheck off, so that the compiler reports types that need a development package.
  compile('program.ts', '--skipLibCheck', 'false');
  const printed = runCommand(process.execPath, 'program.ts').trim();
  const expected = 'string 422 INACTIVE 2 1 0 true';
  if (printed !== expected) throw new Error(`The program that uses createKit should print "${expected}", but printed "${printed}"`);
  console.log('A program that uses createKit compiles against the types in the package, and runs');
}

function compile(file: string, ...options: readonly string[]): void {
  const common = '--noEmit --strict --target es2024 --module nodenext --types node --typeRoots'.split(' ');
  runCommand(process.execPath, resolve('node_modules/typescript/bin/tsc'), ...common, resolve('node_modules/@types'), ...options, file);
}

function checkFixture(): void {
  const program = `import { expect, test } from 'experience-provider-kit/playwright';

test('a test has a world', async ({ request, world }) => {
  const headers: Record<string, string> = { authorization: \`Bearer \${await world.mint()}\` };
  expect((await request.get('users/nobody', { headers })).status()).toBe(404);
});
`;
  writeFileSync(join(folder, 'world.spec.ts'), program);
  compile('world.spec.ts', '--skipLibCheck', 'true');
  const printed = runCommand('npx', 'playwright', 'test', 'world.spec.ts', '--reporter', 'line');
  if (!printed.includes('1 passed')) throw new Error(`The Playwright test with a world should pass, but printed:\n${printed}`);
  console.log('A Playwright test has a world of its own');
}

function checkConformance(): void {
  const listed = runCommand('npx', 'xpk', 'conformance', '--list').trim().split('\n').length;
  // The second rule needs random sequences.
  const tested = ['assignability.unknown-target-false', 'connections.get.found'];
  const printed = runCommand('npx', 'xpk', 'conformance', '--rule', ...tested, '--explore', '2s', '--strict');
  for (const text of [...tested.map((id) => `✓ ✓  ${id}`), 'random sequence'])
    if (!printed.includes(text)) throw new Error(`xpk conformance --rule ${tested.join(' ')} printed no "${text}":\n${printed}`);
  const reports = readdirSync(join(folder, 'conformance-report')).sort().join(' ');
  if (reports !== 'index.html junit.xml report.md results.json')
    throw new Error(`The report folder should contain index.html, junit.xml, report.md and results.json, but contains ${reports}`);
  console.log(`npx xpk conformance works: the list has ${listed} rules, and two were tested`);
}

function checkExample(): void {
  const copy = join(folder, 'provider-app');
  cpSync(join(installedPackage, 'examples/provider-app'), copy, { recursive: true });
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: Record<string, string> };
  // Install the dependency beside the copy, so that npm neither reads the copy's package.json nor changes the installed package.
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  runNpm(folder, 'install', `openid-client@${devDependencies['openid-client']}`);
  const { status, stdout } = spawnSync(process.execPath, ['--test', 'test/customers.test.ts'], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The tests of the provider-app example failed:\n${stdout}`);
  console.log('The provider-app example works outside the package');
}

function checkOldNode(): void {
  const system = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
  const version = system && execFileSync(system, ['--version'], { encoding: 'utf8' }).trim();
  if (!system || !version || Number.parseInt(version.slice(1), 10) >= 24) {
    console.log('Skipped the check of the message that xpk prints under Node before 24, because the system has no such Node.');
    return;
  }
  const { status, stderr } = spawnSync(system, [join(installedPackage, 'src/cli/xpk.cjs'), 'start'], {
    // Variables such as NODE_OPTIONS can make Node print more lines.
    env: {},
    encoding: 'utf8',
  });
  const isOneLine = /^[^\n]*needs Node\.js 24[^\n]*$/.test(stderr.trim());
  if (status !== 1 || !isOneLine)
    throw new Error(`Under Node ${version}, xpk should exit with 1 and print one line, but printed:\n${stderr}`);
  console.log(`Under ${version}: ${stderr.trim()}`);
}
