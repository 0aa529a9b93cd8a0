// Uses an installed package as a project does.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

export interface Project {
  /** A folder in which programs find the installed package. */
  readonly folder: string;
  /** The folder of the package. */
  readonly installed: string;
  /** The path of Node.js. */
  readonly node: string;
  /** The path of an executable. Default: Node.js runs the package's command. */
  readonly xpk?: string;
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** @returns the output to stdout */
function run({ folder, env }: Project, [program, ...args]: Command): string {
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

type Command = readonly [program: string, ...args: string[]];

export const runXpk = (project: Project, ...args: readonly string[]): string => run(project, [...getXpk(project), ...args]);

const getXpk = ({ installed, node, xpk }: Project): Command => (xpk === undefined ? [node, join(installed, 'src/cli/xpk.cjs')] : [xpk]);

/** @throws Error if `xpk start` does not respond correctly to one request */
export async function checkStart(project: Project): Promise<void> {
  const [program, ...args] = getXpk(project);
  const child = spawn(program, [...args, 'start', '--port', '0', '--json'], {
    cwd: project.folder,
    env: project.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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

/** @throws Error if a program that uses createKit does not compile or does not run */
export function checkLibrary(project: Project): void {
  const { folder } = project;
  // The program's own dependency.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    cpSync(`node_modules/${name}`, join(folder, 'node_modules', name), { recursive: true });
  writeFileSync(join(folder, 'program.mts'), LIBRARY_PROGRAM);
  // Turn skipLibCheck off, so that the compiler reports types that need a package that is not installed.
  compile(folder, 'program.mts', '--skipLibCheck', 'false', '--outDir', '.');
  const printed = run(project, [project.node, 'program.mjs']).trim();
  if (printed !== LIBRARY_OUTPUT)
    throw new Error(`The program that uses createKit should print "${LIBRARY_OUTPUT}", but printed "${printed}"`);
}

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

/** @throws Error if a CommonJS program does not compile with the oldest module resolution that knows `exports`, or does not run */
export function checkRequire(project: Project): void {
  writeFileSync(join(project.folder, 'program.cts'), COMMONJS_PROGRAM);
  compile(project.folder, 'program.cts', '--skipLibCheck', 'false', '--outDir', '.', '--module', 'node16');
  const printed = run(project, [project.node, 'program.cjs']).trim();
  if (printed !== '401 true') throw new Error(`The CommonJS program should print "401 true", but printed "${printed}"`);
}

/** Compiles a file for the oldest Node.js that the package supports. */
export function compile(folder: string, file: string, ...options: readonly string[]): void {
  const common = '--strict --target es2023 --lib es2024 --module nodenext --types node --typeRoots'.split(' ');
  const args = [resolve('node_modules/typescript/bin/tsc'), ...common, resolve('node_modules/@types'), ...options, file];
  execFileSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
}

/** @throws Error if `xpk check client` does not judge a client's calls */
export function checkClient(project: Project): void {
  const client = join(project.installed, 'examples/client-calls/users.mjs');
  const printed = runXpk(project, 'check', 'client', '--', project.node, client, '019b76da-a800-7842-89c6-aab35372cefd');
  if (!/✓ +client\./.test(printed)) throw new Error(`xpk check client should print a rule that passed, but printed:\n${printed}`);
}

/** @throws Error if `xpk conformance` does not test two rules, of which the second needs random sequences */
export function checkConformance(project: Project): void {
  const tested = ['assignability.unknown-target-false', 'connections.get.found'];
  const printed = runXpk(project, 'conformance', '--rule', ...tested, '--explore', '2s', '--strict');
  for (const text of [...tested.map((id) => `✓ ✓  ${id}`), 'random sequence'])
    if (!printed.includes(text)) throw new Error(`xpk conformance --rule ${tested.join(' ')} printed no "${text}":\n${printed}`);
}
