import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError, runCommand } from './commands.ts';

test('runCommand returns the output of the command', async () => {
  assert.equal(await runCommand('echo "{}"', '--state-command'), '{}\n');
});

test('runCommand does not wait for background processes of the command', async () => {
  const pid = Number(await runCommand('sleep 600 & echo $!', '--restart'));
  assert.ok(process.kill(pid));
});

test('the error of a failed command has the option, the status and the output', async () => {
  const failed = runCommand('echo broken >&2; exit 3', '--restart');
  await assert.rejects(failed, new CommandError('The command of --restart ended with status 3: echo broken >&2; exit 3\nbroken'));
});
