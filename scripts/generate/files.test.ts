import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { staleFiles, writeFiles } from './files.ts';

const files = new Map([
  ['generated/one.ts', 'one\n'],
  ['docs/two.md', 'two\n'],
]);

function writtenFolder(context: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'files-'));
  context.after(() => rmSync(root, { recursive: true }));
  writeFiles(root, files, ['generated']);
  return root;
}

test('what was just written is not stale', (context) => {
  assert.deepEqual(staleFiles(writtenFolder(context), files, ['generated']), []);
});

test('a file that was edited and a file that is missing are stale', (context) => {
  const root = writtenFolder(context);
  writeFileSync(join(root, 'generated/one.ts'), 'edited\n');
  rmSync(join(root, 'docs/two.md'));
  assert.deepEqual(staleFiles(root, files, ['generated']), ['docs/two.md', 'generated/one.ts']);
});

test('a file that nothing generates any more is stale in a generated folder, and writing removes it', (context) => {
  const root = writtenFolder(context);
  writeFileSync(join(root, 'generated/old.ts'), 'old\n');
  writeFileSync(join(root, 'docs/by-hand.md'), 'by hand\n');
  assert.deepEqual(writeFiles(root, files, ['generated']), ['generated/old.ts']);
  assert.deepEqual(staleFiles(root, files, ['generated']), []);
  assert.equal(readFileSync(join(root, 'docs/by-hand.md'), 'utf8'), 'by hand\n');
});
