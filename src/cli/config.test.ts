import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { XPK_FILE } from '../testing/tested-package.ts';
import { run } from './testing/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-config-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function writeConfig(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Returns the URL that a command uses, from the error message of its failed request. */
function readUrl(environment: Record<string, string> = {}, ...flags: string[]): string | undefined {
  return readUrlIn(folder, environment, ...flags);
}

function readUrlIn(cwd: string, environment: Record<string, string> = {}, ...flags: string[]): string | undefined {
  const { XPK_URL: _, XPK_PORT: _port, XPK_HOST: _host, ...inherited } = process.env;
  const args = [XPK_FILE, 'clock', ...flags];
  const { stderr } = spawnSync(process.execPath, args, { cwd, env: { ...inherited, ...environment }, encoding: 'utf8' });
  return /No response from (\S+)/.exec(stderr)?.[1];
}

test('an option comes from the command line, the environment, xpk.config.yaml or package.json, in this order of precedence', () => {
  writeConfig('package.json', '{ "name": "ours", "xpk": { "url": "http://127.0.0.1:1" } }');
  assert.equal(readUrl(), 'http://127.0.0.1:1');
  writeConfig('xpk.config.yaml', 'url: http://127.0.0.1:2');
  assert.equal(readUrl(), 'http://127.0.0.1:2');
  assert.equal(readUrl({ XPK_URL: 'http://127.0.0.1:3' }), 'http://127.0.0.1:3');
  assert.equal(readUrl({ XPK_URL: 'http://127.0.0.1:3' }, '--url', 'http://127.0.0.1:4'), 'http://127.0.0.1:4');
  writeConfig('other.yaml', 'url: http://127.0.0.1:5');
  assert.equal(readUrl({}, '--config', 'other.yaml'), 'http://127.0.0.1:5');
  assert.equal(readUrl({ XPK_CONFIG: 'other.yaml' }), 'http://127.0.0.1:5');
});

test('XPK_PORT, XPK_HOST and the section start of the file determine the URL of the kit for every command', () => {
  const own = mkdtempSync(join(folder, 'ports-'));
  const readOwn = (environment: Record<string, string>, ...flags: string[]) => readUrlIn(own, environment, ...flags);
  assert.equal(readOwn({ XPK_PORT: '1' }), 'http://127.0.0.1:1');
  assert.equal(readOwn({ XPK_PORT: 'abc' }), undefined, 'the command must not ask another port');
  assert.equal(readOwn({ XPK_PORT: '1', XPK_HOST: '0.0.0.0' }), 'http://127.0.0.1:1');
  assert.equal(readOwn({ XPK_PORT: '1', XPK_HOST: '::1' }), 'http://[::1]:1');
  assert.equal(readOwn({ XPK_PORT: '1', XPK_URL: 'http://127.0.0.1:2' }), 'http://127.0.0.1:2');
  assert.equal(readOwn({ XPK_PORT: '1' }, '--url', 'http://127.0.0.1:3'), 'http://127.0.0.1:3');
  writeFileSync(join(own, 'xpk.config.yaml'), 'start: { port: 4 }');
  assert.equal(readOwn({}), 'http://127.0.0.1:4');
  writeFileSync(join(own, 'xpk.config.yaml'), 'url: http://127.0.0.1:5\nstart: { port: 4 }');
  assert.equal(readOwn({}), 'http://127.0.0.1:5');
  assert.equal(readOwn({ XPK_PORT: '1' }), 'http://127.0.0.1:1');
});

test('a package.json that cannot be read is ignored', () => {
  const other = mkdtempSync(join(folder, 'unreadable-'));
  mkdirSync(join(other, 'package.json'));
  assert.equal(readUrlIn(other, { XPK_URL: 'http://127.0.0.1:6' }), 'http://127.0.0.1:6');
});

test("a command reads its own section of the file, and a list on the command line replaces the file's list", async () => {
  const file = writeConfig(
    'rules.yaml',
    'conformance: { list: true, rule: [users.get.shape, users.list.shape] }\ncheck: { client: { anything: 1 } }',
  );
  const listRules = async (...flags: string[]) => {
    const { stdout } = await run('conformance', '--json', '--config', file, ...flags);
    return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id).toSorted();
  };
  assert.deepEqual(await listRules(), ['users.get.shape', 'users.list.shape']);
  assert.deepEqual(await listRules('--rule', 'users.get.rate'), ['users.get.rate']);
});

for (const [text, command, reason] of [
  ['strt: {}', 'start', '1:1: There is no member "strt" here. Did you mean "start"?'],
  ['start:\n  prot: 1', 'start', '2:3: There is no member "prot" here. Did you mean "port"?'],
  ['check: { clinet: {} }', 'check client', '1:10: There is no member "clinet" here. Did you mean "client"?'],
  ['start: { port: 99999 }', 'start', '1:16: The value must be a whole number from 0 to 65535.'],
  ['start: { allowHost: kit.test }', 'start', '1:21: This must be a list.'],
  ['start: { control: "no" }', 'start', '1:19: This must be true or false.'],
  [
    'check: { client: { login: pge } }',
    'check client',
    '1:27: "pge" is not allowed. It must be one of page, auto, deny. Did you mean "page"?',
  ],
  ['check: { webhook: { settle: soon } }', 'check webhook', '1:29: A duration is a number and a unit'],
] as const) {
  test(`a file with ${JSON.stringify(text)} is refused: ${reason}`, async () => {
    const file = writeConfig('wrong.yaml', text);
    const { status, stderr } = await run(...command.split(' '), '--config', file);
    assert.equal(status, 2, stderr);
    assert.ok(stderr.startsWith(`${file}:${reason}`), stderr);
  });
}

test('if the file in --config does not exist, the command fails', async () => {
  const { status, stderr } = await run('clock', '--config', 'nowhere.yaml');
  assert.deepEqual([status, stderr], [2, 'nowhere.yaml: The file cannot be read: no such file or directory.']);
});
