import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createKit } from '../kit.ts';
import { XPK_FILE } from '../testing/tested-package.ts';
import { createXpk } from './testing/run.ts';

const kit = await createKit({ port: 0, controlToken: "a 'quoted' token of tests" });
after(() => kit.close());
const { xpk, json } = createXpk(() => ['--url', kit.url, '--control-token', "a 'quoted' token of tests"]);
/** Runs a shell command in which `xpk` is the command. */
const runShell = (script: string): Promise<{ stdout: string; stderr: string; code?: number }> =>
  promisify(execFile)('sh', ['-c', `xpk() { "${process.execPath}" "${XPK_FILE}" "$@"; }\n${script}`], {
    env: { ...process.env, XPK_URL: kit.url, XPK_CONTROL_TOKEN: "a 'quoted' token of tests" },
  }).catch((error) => error);
const PRINT = `process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([name]) => /^XPK_(?!TEST_)/.test(name)))))`;
const printVariables = `"${process.execPath}" -e "${PRINT}"`;
const listNames = async (): Promise<string[]> => (await json('world list')).map(({ name }: { name: string }) => name);

test('eval "$(xpk world create --env)" gives a shell the same variables as xpk exec, for a new world', async () => {
  const { stdout } = await runShell(`eval "$(xpk world create in-shell --env)" && ${printVariables}`);
  const { stdout: ofExec } = await runShell(`xpk exec --world in-shell -- ${printVariables}`);
  const variables = JSON.parse(stdout);
  assert.deepEqual(JSON.parse(ofExec), variables);
  const { XPK_URL, XPK_AUTH_URL, XPK_WORLD, XPK_CONTROL_TOKEN, XPK_CLIENT_SECRET, XPK_TOKEN } = variables;
  assert.deepEqual(
    [XPK_URL, XPK_AUTH_URL, XPK_WORLD, XPK_CONTROL_TOKEN, XPK_CLIENT_SECRET],
    [`${kit.url}/w/in-shell`, `${kit.url}/w/in-shell/auth`, 'in-shell', "a 'quoted' token of tests", 'demo-secret-acme-web'],
  );
  const { status } = await fetch(`${XPK_URL}/users/2065550001`, { headers: { authorization: `Bearer ${XPK_TOKEN}` } });
  assert.equal(status, 200);
});

test('in such a shell, xpk world acts on the kit, and other commands on the world', async () => {
  const { stdout } = await runShell(
    'eval "$(xpk world create second --env)"; xpk clock advance 1h > /dev/null; xpk clock --json; xpk world delete "$XPK_WORLD"',
  );
  assert.match(stdout, /"offsetMs":3600000[\s\S]*Deleted the world second\./);
  assert.equal(kit.clock.offset, 0);
  assert.ok(!(await listNames()).includes('second'));
});

test('xpk exec --world gives a command a new world, which ends with the command', async () => {
  const before = await listNames();
  const { stdout, code } = await runShell('xpk exec --world -- sh -c \'echo "$XPK_WORLD $XPK_URL"; xpk world list; exit 3\'');
  const [name, url] = stdout.trim().split(' ');
  assert.deepEqual([url, code], [`${kit.url}/w/${name}`, 3]);
  assert.deepEqual(await listNames(), before);
});

test('xpk exec --world NAME uses a world, which goes on', async () => {
  await xpk('world create kept');
  assert.equal((await runShell('xpk exec --world kept -- true')).stdout, '');
  assert.ok((await listNames()).includes('kept'));
  const { code, stderr } = await runShell('xpk exec --world kpt -- true');
  assert.equal(code, 2);
  assert.match(stderr, /has no world "kpt"\. Did you mean "kept"\?/);
  assert.match(
    (await runShell('xpk exec --world --port 4011 -- true')).stderr,
    /--port is for a new kit, but --world uses a running kit\./,
  );
});

test('xpk check client --url checks the calls to a world', async () => {
  await using world = await kit.createWorld();
  await fetch(`${world.url}/experience-connections?tn=%2B12065550100`, { headers: { authorization: `Bearer ${await world.mint()}` } });
  const { stdout } = await runShell(`xpk check client --url ${world.url} --json`);
  const { rules } = JSON.parse(stdout) as { rules: { id: string; verdict: string }[] };
  assert.equal(rules.find(({ id }) => id === 'client.telephone-number-not-tn')?.verdict, 'failed');
});
