import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { startXpk, waitForExit } from './testing/processes.ts';

const node = (script: string, ...args: string[]) => [process.execPath, '--input-type=module', '-e', script, ...args];

const startExec = (...args: string[]) => startXpk(['exec', ...args], { XPK_TOKEN: 'of another kit' });
const runExec = (...args: string[]) => waitForExit(startExec(...args));

const CALL = `const { XPK_URL, XPK_TOKEN, XPK_CONTROL_TOKEN } = process.env;
const { status } = await fetch(XPK_URL + '/users/2065550001', { headers: { authorization: 'Bearer ' + XPK_TOKEN } });
const info = await fetch(XPK_URL + '/_control/info', { headers: { 'x-control-token': XPK_CONTROL_TOKEN } });
console.log(JSON.stringify([status, info.status, process.argv.slice(1)]));
console.error('to standard error');
process.exit(7);`;

test("xpk exec gives a command a kit's address and tokens, and passes its arguments, output and exit status on unchanged", async () => {
  const { stdout, stderr, status } = await runExec(
    '--control-token',
    'a-secret-of-the-test',
    '--',
    ...node(CALL, '--', 'a', '--port', '--json'),
  );
  assert.deepEqual([stdout, stderr, status], [`${JSON.stringify([200, 200, ['a', '--port', '--json']])}\n`, 'to standard error\n', 7]);
});

test('without --, xpk exec passes the options after the command on to the command', async () => {
  const { stdout } = await runExec('--login', 'deny', process.execPath, '-p', 'process.argv.slice(1).join()', '--', '--login', 'auto');
  assert.equal(stdout, '--login,auto\n');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} to xpk exec reaches the command, and the kit ends with the command`, async () => {
    const command = startExec(
      '--',
      ...node(`process.on('${signal}', () => { console.log('${signal}'); process.exit(5); });
        setInterval(() => {}, 1000); console.log(process.env.XPK_URL);`),
    );
    const lines = createInterface({ input: command.stdout! });
    const [url] = await once(lines, 'line');
    assert.equal((await fetch(`${url}/_control/health`)).status, 200);
    command.kill(signal);
    const [[received], [status]] = await Promise.all([once(lines, 'line'), once(command, 'exit')]);
    assert.deepEqual([received, status], [signal, 5]);
    await assert.rejects(fetch(`${url}/_control/health`));
  });
}

test('if a signal ends the command, the exit status of xpk exec is 128 plus the number of the signal', async () => {
  assert.equal((await runExec('--', ...node(`process.kill(process.pid, 'SIGKILL')`))).status, 137);
});

test('a command that does not exist has the exit status 127, and one that cannot be started 126', async () => {
  const { stderr, stdout, status } = await runExec('--', 'no-such-command');
  assert.deepEqual([stdout, status], ['', 127]);
  assert.match(stderr, /^xpk: The command no-such-command cannot be started: .+\n$/);
  assert.equal((await runExec('--', './package.json')).status, 126);
});
