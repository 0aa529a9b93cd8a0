import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { test } from 'node:test';
import { editSource, FRESH_BREACHES, findModule } from './fresh-breach.ts';

test('every edit of a fresh breach applies exactly once, and the edited modules have no syntax error', () => {
  for (const [name, { quote, level, edits }] of Object.entries(FRESH_BREACHES)) {
    assert.ok(quote.length > 0 && ['documented', 'implied'].includes(level) && edits.length > 0, name);
    for (const [file, own] of Map.groupBy(edits, ({ file }) => file)) {
      const edited = editSource(readFileSync(findModule(file), 'utf8'), own);
      assert.doesNotThrow(() => stripTypeScriptTypes(edited), `${name}: ${file}`);
    }
  }
});

test('an edit whose text does not occur exactly once is refused', () => {
  for (const find of ['missing', 'a']) assert.throws(() => editSource('a b a', [{ file: 'some.ts', find, replace: '' }]), /exactly once/);
});
