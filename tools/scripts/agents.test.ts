import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';

suite('the pages for coding agents', async () => {
  const program = await createProgram(['--help']);

  /** @returns the options that the command does not have */
  function findUnknown(line: string): string[] {
    const words = line.split(/\s+/);
    let command: Command = program;
    let position = 0;
    for (; position < words.length; position++) {
      const next = command.commands.find((candidate) => candidate.name() === words[position]);
      if (next === undefined) break;
      command = next;
    }
    if (position === 0) return [words[0]!];
    // A command with subcommands, such as `xpk clock`, can have a default one.
    const known = [command, ...command.commands].flatMap(({ options }) => options).flatMap(({ long, short }) => [long, short]);
    const given = words.slice(position, words.includes('--') ? words.indexOf('--') : undefined).filter((word) => /^--?\w/.test(word));
    return given.filter((option) => option !== '--help' && !known.includes(option));
  }

  for (const page of ['llms.txt', 'docs/agents/SKILL.md']) {
    const text = readFileSync(page, 'utf8');

    test(`${page} has less than 8 KB`, () => assert.ok(Buffer.byteLength(text) < 8192));

    test(`${page} has only commands and options that exist`, () => {
      const lines = [...text.matchAll(/\bxpk ([a-z][^`;|$)\n]*)/g)].map(([, line = '']) => line.trim());
      assert.ok(lines.length >= 3);
      assert.deepEqual(
        lines.map((line) => [line, findUnknown(line)]).filter(([, unknown]) => unknown!.length > 0),
        [],
      );
    });
  }

  test('an unknown command and an unknown option are found', () => {
    assert.deepEqual(findUnknown('explian 1'), ['explian']);
    assert.deepEqual(findUnknown('world create --form x'), ['--form']);
    assert.deepEqual(findUnknown('exec --login page -- pytest -q'), []);
  });
});
