// Runs the Dockerfile's steps without a container runtime. Then starts compose.yaml's services on PostgreSQL. Needs the npm registry or
// npm's cache.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { createEmptyDatabase } from '../../src/store/testing/postgres.ts';
import { build, type Image } from './testing/dockerfile.ts';

const CONTROL_TOKEN = 'a-control-token-of-the-container';
/** The `nonroot` user in the base image. */
const NONROOT = { uid: 65532, gid: 65532 };
// Only root can start a process as another user.
const userOptions = spawnSync('true', NONROOT).error === undefined ? NONROOT : {};

interface Service {
  readonly build?: unknown;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
}

// Let all users read the files, as in an image.
process.umask(0o022);
using cleanup = new DisposableStack();
const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'xpk-container-'))).path;
// The build stage's base image contains Node.js. The last stage's PATH contains only the image's own programs.
const programs = join(folder, 'programs');
mkdirSync(programs);
copyFileSync(process.execPath, join(programs, 'node'));
// Write the secret only once. A second write would truncate the file while a replica reads it.
const secrets = join(folder, 'secrets');
mkdirSync(secrets);
writeFileSync(join(secrets, 'control-token'), `${CONTROL_TOKEN}\n`);
const base = { PATH: `${programs}:${process.env.PATH}`, HOME: process.env.HOME ?? folder, npm_config_prefer_offline: 'true' };
const image = build(readFileSync('deploy/Dockerfile', 'utf8'), '.', folder, base);
// Let all users read the copied files, because the original files may be readable only by their owner.
execFileSync('chmod', ['-R', 'a+rX', folder]);
checkImage(image);
await checkServices(image);
console.log('The steps in the Dockerfile and the services in compose.yaml work.');

function checkImage(image: Image): void {
  const kit = getWorkingFolder(image);
  assert.equal(image.user, 'nonroot', 'The image must not run as root.');
  assert.ok(!existsSync(join(kit, 'node_modules')), 'The image must contain no packages, because the kit is a bundle.');
  // The kit must not start without a control token, because it listens on all interfaces.
  const { status, stderr } = spawnSync(image.command[0]!, image.command.slice(1), {
    cwd: kit,
    env: createEnvironment(image, {}, 'none'),
    encoding: 'utf8',
    timeout: 300_000,
  });
  assert.equal(status, 2, stderr);
  assert.match(stderr, /--control-token/);
  const size = execFileSync('du', ['-sm', kit], { encoding: 'utf8' }).split('\t', 1)[0];
  console.log(`The image adds ${size} MB to its base image.`);
}

async function checkServices(image: Image): Promise<void> {
  const database = await createEmptyDatabase();
  const { services, secrets } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly secrets: Readonly<Record<string, unknown>>;
  };
  const replicas = Object.values(services).filter((service) => service.build !== undefined);
  assert.equal(replicas.length, 2);
  const started = await Promise.all(replicas.map((service) => startService(service)));
  const [first, second] = started.map(({ url }) => url) as [string, string];

  const control = { 'x-control-token': CONTROL_TOKEN, 'content-type': 'application/json' };
  assert.equal((await fetch(`${first}/_control/clock`)).status, 401);
  const user = JSON.stringify({ alias: 'zoe', account: 'northwind' });
  const created = await fetch(`${first}/_control/state/users`, { method: 'POST', headers: control, body: user });
  assert.equal(created.status, 201, await created.text());
  assert.equal((await fetch(`${second}/_control/state/users/zoe`, { headers: control })).status, 200);

  for (const { url, env, child } of started) {
    const { status, stderr } = checkHealth(url, env);
    assert.equal(status, 0, stderr);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.equal(checkHealth(url, env).status, 1);
  }

  async function startService({ environment: variables, secrets: names = [] }: Service) {
    assert.ok(names.length > 0 && names.every((name) => name in secrets));
    assert.match(variables.XPK_DATABASE ?? '', /^postgres:\/\/kit:\$\{POSTGRES_PASSWORD\}@database\/kit$/);
    const allowed = (variables.XPK_ALLOW_HOST ?? '').replace(/\$\{.*?\}/g, '');
    const env = createEnvironment(image, { XPK_DATABASE: database, XPK_ALLOW_HOST: allowed, XPK_PORT: '0' }, names[0]!);
    const child = spawn(image.command[0]!, image.command.slice(1), {
      cwd: getWorkingFolder(image),
      env,
      ...userOptions,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanup.defer(() => void child.kill('SIGKILL'));
    let port: string | undefined;
    for await (const line of createInterface({ input: child.stdout })) {
      port = / http:\/\/0\.0\.0\.0:(\d+)/.exec(line)?.[1];
      if (port !== undefined) break;
    }
    assert.ok(port, 'A replica exited before it printed its address.');
    child.stdout.resume();
    // 127.0.0.2 answers only because the kit listens on all interfaces.
    return { url: `http://127.0.0.2:${port}`, env, child };
  }

  function checkHealth(url: string, env: NodeJS.ProcessEnv) {
    const [program = '', ...args] = image.healthcheck;
    return spawnSync(program, args, {
      cwd: getWorkingFolder(image),
      env: { ...env, XPK_URL: url },
      ...userOptions,
      encoding: 'utf8',
    });
  }
}

function getWorkingFolder({ root, workdir }: Image): string {
  return join(root, workdir);
}

/** @param secret the name of the secret that contains the control token */
function createEnvironment({ env }: Image, more: Readonly<Record<string, string>>, secret: string): NodeJS.ProcessEnv {
  // The kit must also run on a read-only file system.
  const readOnly = { HOME: '/nonexistent', TMPDIR: '/nonexistent' };
  return { ...env, ...readOnly, ...more, XPK_CONTROL_TOKEN_FILE: join(folder, 'secrets', secret) };
}
