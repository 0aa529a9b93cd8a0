import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { XPK_FILE } from '../testing/tested-package.ts';
import { VALUE_LISTS } from './completion/values.ts';
import { getCommandName } from './config-options.ts';
import { createProgram, listWithSubcommands } from './program.ts';
import { run } from './testing/run.ts';

const commands = listWithSubcommands(await createProgram([]));
async function complete(line: string): Promise<string[]> {
  const { stdout } = await run('completion', 'bash', '--', ...line.split(' '));
  return stdout
    .split('\n')
    .flatMap((text) => text.split('\t', 1))
    .filter((value) => value !== '');
}

test('every command, every option and every choice is completed', async () => {
  for (const command of commands) {
    const words = getCommandName(command).split(' ').concat('');
    const [first = '', ...rest] = getCommandName(command) === '' ? [''] : words;
    const found = await complete([first, ...rest].join(' '));
    for (const sub of command.commands) assert.ok(found.includes(sub.name()), `${getCommandName(command)} ${sub.name()}`);
    const flags = await complete([first, ...rest].slice(0, -1).concat('-').join(' '));
    for (const { long, hidden } of command.options) assert.ok(hidden || flags.includes(long!), `${getCommandName(command)} ${long}`);
    for (const { long, argChoices = [] } of command.options)
      if (argChoices.length > 0) assert.deepEqual(await complete([...words.slice(0, -1), long, ''].join(' ')), argChoices);
  }
});

test('each name in VALUE_LISTS is the name of an option or argument', () => {
  const names = commands.flatMap(({ options, registeredArguments }) => [
    ...options.map(({ long }) => long),
    ...registeredArguments.map((argument) => `<${argument.name()}>`),
  ]);
  assert.deepEqual(
    Object.keys(VALUE_LISTS).filter((name) => !names.includes(name)),
    [],
  );
});

for (const [line, expected] of [
  ['conformance --rule connections.delete.numbers-', ['connections.delete.numbers-assigned']],
  ['check client --fail-on impl', ['implied']],
  ['check client --rule client.state.', ['client.state.sent', 'client.state.fresh', 'client.state.compared']],
  ['scenario run users.get.sc', ['users.get.scope']],
  ['fault add --operation getUser', ['getUsers', 'getUser']],
  ['logs --operation=getUsers', ['--operation=getUsers']],
  ['start --set lists.ord', ['lists.order=']],
  ['start --set lists.order=newest-l', ['lists.order=newest-last']],
  ['start --port 0 --login p', ['page']],
  ['state get us', ['users']],
  ['check client -- npm te', []],
  ['no-such-command ', []],
] as const)
  test(`xpk ${line} is completed with ${expected.join(', ') || 'nothing'}`, async () => assert.deepEqual(await complete(line), expected));

const folder = mkdtempSync(join(tmpdir(), 'xpk-completion-'));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'xpk'), `#!/bin/sh\nexec '${process.execPath}' '${XPK_FILE}' "$@"\n`, { mode: 0o755 });

/** Maps a shell to a script that completes the variable LINE and prints the candidates. */
const SHELLS: Readonly<Record<string, readonly string[]>> = {
  bash: [
    '-c',
    `source <(xpk completion bash); COMP_LINE=$LINE COMP_POINT=\${#LINE} COMP_WORDS=(xpk); _xpk; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // zsh completes only in a terminal, so the script replaces the functions that receive the candidates.
  zsh: [
    '-fc',
    `compdef() { :; }; _describe() { print -l "\${(@)\${(@P)2}%%:*}" }; source <(xpk completion zsh); words=("\${(@s: :)LINE}"); CURRENT=$#words; _xpk`,
  ],
  fish: ['--no-config', '-c', 'xpk completion fish | source; complete --do-complete "$LINE"'],
};

for (const [shell, args] of Object.entries(SHELLS)) {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined;
  test(`the script for ${shell} completes a command, an option, and a value`, { skip: isMissing && `${shell} is not installed` }, () => {
    const completeInShell = (line: string) => {
      const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, LINE: line };
      const { stdout, stderr, status } = spawnSync(shell, args, { env, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      const candidates = stdout.split('\n').map((text) => text.split('\t', 1)[0] as string);
      return candidates.filter((text) => text !== '').toSorted();
    };
    assert.deepEqual(completeInShell('xpk sta'), ['start', 'state']);
    assert.deepEqual(completeInShell('xpk clock '), ['advance', 'help', 'show']);
    assert.deepEqual(completeInShell('xpk start --login '), ['auto', 'deny', 'page']);
    const set = completeInShell('xpk start --set lists.order=newest-');
    // Bash replaces only the part after the `=` character.
    const before = shell === 'bash' ? '' : 'lists.order=';
    assert.deepEqual(set, [`${before}newest-first`, `${before}newest-last`]);
  });
}
