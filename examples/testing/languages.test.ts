import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { programs } from './languages.ts';

test('each program in examples/languages has at most 60 lines', () => {
  const names = readdirSync('examples/languages');
  assert.deepEqual(names.sort(), Object.keys(programs).sort());
  for (const name of names) {
    const [file = '', ...others] = readdirSync(`examples/languages/${name}`);
    assert.deepEqual([file, others], [programs[name]?.file, []]);
    const lines = readFileSync(`examples/languages/${name}/${file}`, 'utf8').trimEnd().split('\n');
    assert.ok(lines.length <= 60, `${file} has ${lines.length} lines.`);
    assert.deepEqual(
      lines.filter((line) => line.length > 190),
      [],
    );
  }
});

test('the code in docs/webhooks.md that verifies a signature is part of the program in Python', () => {
  const [, code = ''] = /```python\nimport [\w, ]+\n\n(.*?)```/s.exec(readFileSync('docs/webhooks.md', 'utf8')) ?? [];
  assert.match(code, /^def is_signed/);
  assert.ok(readFileSync('examples/languages/python/test_kit.py', 'utf8').includes(code));
});
