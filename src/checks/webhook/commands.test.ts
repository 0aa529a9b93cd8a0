import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('a state command with endless output is ended together with its children, and the error names the limit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-commands-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Ends when the child has ended.
  const printedByChild = readFile(pipe, 'utf8');
  // Everything is bounded, so that the test also ends without a limit.
  const endless = runCommand(`(sleep 20; echo survived) > ${pipe} & head -c 100000000 /dev/zero; wait`, '--state-command');
  await assert.rejects(endless, /^CommandError: The --state-command command printed more than 16 MB: /);
  assert.equal(await printedByChild, '');
  rmSync(folder, { recursive: true });
});

test('an interrupt ends a running command together with its children', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xpk-commands-'));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const interrupt = new AbortController();
  const running = runCommand(`(sleep 20; echo survived) > ${pipe} & wait`, '--state-command', interrupt.signal);
  // Opens when the child has started, and ends when the child has ended.
  const printedByChild = await open(pipe);
  interrupt.abort();
  await assert.rejects(running, new CommandError('The --state-command command was ended, because the check was interrupted.'));
  assert.equal(await printedByChild.readFile('utf8'), '');
  await printedByChild.close();
  rmSync(folder, { recursive: true });
});
