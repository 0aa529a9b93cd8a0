import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError, runCommand } from './commands.ts';

test('a command returns what it prints', async () => {
  assert.equal(await runCommand('echo "{}"', '--state-command'), '{}\n');
});

test('a program that the command starts in the background does not keep the command from ending', async () => {
  const pid = Number(await runCommand('sleep 600 & echo $!', '--restart'));
  assert.ok(process.kill(pid));
});

test('a command that fails is an error with the option, the status, and what the command printed', async () => {
  const failed = runCommand('echo broken >&2; exit 3', '--restart');
  await assert.rejects(failed, new CommandError('The command of --restart ended with status 3: echo broken >&2; exit 3\nbroken'));
});
