// Uses an installed package as a project does.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from './runtimes.ts';

export interface Project {
  /** A folder in which programs find the installed package. */
  readonly folder: string;
  /** The folder of the package. */
  readonly installed: string;
  /** Runs a program, such as Node.js. */
  readonly runtime: Command;
  /** The path of an executable. Default: the runtime runs the package's command. */
  readonly xpk?: string;
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

const getOptions = ({ folder, runtime: [path], env }: Project) => ({
  cwd: folder,
  // The package managers' `xpk` looks for `node` in PATH.
  env: env ?? { ...process.env, PATH: `${dirname(path)}${delimiter}${process.env.PATH}`, DENO_NO_UPDATE_CHECK: '1' },
});

/** @returns the output to stdout */
function run(project: Project, [file, ...args]: Command): string {
  return execFileSync(file, args, { ...getOptions(project), encoding: 'utf8', stdio: 'pipe' });
}

export const runXpk = (project: Project, ...args: readonly string[]) => run(project, [...getXpk(project), ...args]);

/** For Node.js, the link that the package manager has created. */
function getXpk({ installed, runtime, xpk }: Project): Command {
  if (xpk !== undefined) return [xpk];
  return basename(runtime[0]) === 'node' ? [join(installed, '../.bin/xpk')] : [...runtime, join(installed, 'src/cli/xpk.cjs')];
}

/** @throws Error if `xpk start` does not respond correctly to one request */
export async function checkStart(project: Project): Promise<void> {
  const [file, ...args] = getXpk(project);
  const child = spawn(file, [...args, 'start', '--port', '0', '--json'], { ...getOptions(project), stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { url, tokens } = JSON.parse((await lines.next()).value ?? '{}') as { url: string; tokens: Record<string, string> };
    const response = await fetch(`${url}/users/nobody`, { headers: { authorization: `Bearer ${tokens.full}` } });
    if (response.status !== 404) throw new Error(`Expected a 404 for an unknown user, got ${response.status}: ${await response.text()}`);
  } finally {
    child.kill();
  }
}

const LIBRARY_PROGRAM = `import createClient from 'openapi-fetch';
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
const LIBRARY_OUTPUT = 'string 422 INACTIVE 2 1 0 true';
const COMMONJS_PROGRAM = `import { createKit, type Kit } from 'experience-provider-kit';

async function main(): Promise<void> {
  const kit: Kit = await createKit({ port: 0 });
  const { status } = await fetch(\`\${kit.url}/users/nobody\`);
  await kit.close();
  const imported = await import('experience-provider-kit');
  console.log(\`\${status} \${imported.createKit === createKit}\`);
}
void main();
`;
const COMMONJS_OUTPUT = '401 true';

/** Compiles two programs that use createKit. @throws Error if the types need a package that is not installed */
export function compilePrograms(folder: string): void {
  // The program's own dependency.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    cpSync(`node_modules/${name}`, join(folder, 'node_modules', name), { recursive: true });
  writeFileSync(join(folder, 'program.mts'), LIBRARY_PROGRAM);
  writeFileSync(join(folder, 'program.cts'), COMMONJS_PROGRAM);
  // The oldest module resolution that knows `exports`.
  compile(folder, ['program.mts', 'program.cts'], '--module', 'node16', '--skipLibCheck', 'false', '--outDir', '.');
}

/** Copies the compiled programs to another project. */
export function copyPrograms(from: string, to: string): void {
  for (const path of ['program.mjs', 'program.cjs', 'node_modules/openapi-fetch'])
    cpSync(join(from, path), join(to, path), { recursive: true });
}

/** @throws Error if a module that uses createKit does not work, or a CommonJS program that requires it */
export function checkLibrary(project: Project): void {
  const printed = [run(project, [...project.runtime, 'program.mjs']), run(project, [...project.runtime, 'program.cjs'])];
  if (printed.join('') !== `${LIBRARY_OUTPUT}\n${COMMONJS_OUTPUT}\n`)
    throw new Error(
      `The programs that use createKit should print "${LIBRARY_OUTPUT}" and "${COMMONJS_OUTPUT}", but printed:\n${printed.join('')}`,
    );
}

/** Compiles files for the oldest Node.js that the package supports. */
export function compile(folder: string, files: readonly string[], ...options: readonly string[]): void {
  const common = '--strict --target es2023 --lib es2024 --types node --typeRoots'.split(' ');
  const args = [resolve('node_modules/typescript/bin/tsc'), ...common, resolve('node_modules/@types'), ...options, ...files];
  execFileSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
}

/** @throws Error if `xpk check client` does not judge a client's calls */
export function checkClient(project: Project): void {
  const client = join(project.installed, 'examples/client-calls/users.mjs');
  const printed = runXpk(project, 'check', 'client', '--', ...project.runtime, client, '019b76da-a800-7842-89c6-aab35372cefd');
  if (!/✓ +client\./.test(printed)) throw new Error(`xpk check client should print a rule that passed, but printed:\n${printed}`);
}

/** @throws Error if `xpk conformance` does not test one rule */
export function checkConformance(project: Project): void {
  testRules(project, ['assignability.unknown-target-false'], '0s');
}

/** @throws Error if `xpk conformance` does not test two rules, of which the second needs random sequences, or does not write its reports */
export function checkExploration(project: Project): void {
  const printed = testRules(project, ['assignability.unknown-target-false', 'connections.get.found'], '2s');
  if (!printed.includes('random sequence')) throw new Error(`xpk conformance should explore, but printed:\n${printed}`);
  const report = join(project.folder, 'conformance-report');
  const files = readdirSync(report).sort().join(' ');
  if (files !== 'index.html junit.xml report.md results.json')
    throw new Error(`The report folder should contain index.html, junit.xml, report.md and results.json, but contains ${files}`);
  rmSync(report, { recursive: true });
}

function testRules(project: Project, rules: readonly string[], explore: string): string {
  const printed = runXpk(project, 'conformance', '--rule', ...rules, '--explore', explore, '--strict');
  const missing = rules.find((id) => !printed.includes(`✓ ✓  ${id}`));
  if (missing !== undefined) throw new Error(`xpk conformance should print that ${missing} passed, but printed:\n${printed}`);
  return printed;
}
