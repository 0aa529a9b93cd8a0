import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandError, runCommand } from './commands.ts';

test("runCommand returns the command's output", async () => {
  assert.equal(await runCommand('echo "{}"', '--state-command'), '{}\n');
});

test("runCommand does not wait for the command's background processes", async () => {
  const pid = Number(await runCommand('sleep 600 & echo $!', '--restart'));
  assert.ok(process.kill(pid));
});

test("a failed command's error contains the option, the status and the output", async () => {
  const failed = runCommand('echo broken >&2; exit 3', '--restart');
  await assert.rejects(failed, new CommandError('The --restart command ended with status 3: echo broken >&2; exit 3\nbroken'));
});
