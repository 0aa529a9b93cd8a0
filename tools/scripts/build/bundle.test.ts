import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { bundle } from './bundle.ts';

test('a bundled module can lazily import names from a CommonJS package', async (t) => {
  mkdirSync('node_modules/.cache', { recursive: true });
  // In this folder, the module finds the repository's packages.
  const folder = mkdtempSync('node_modules/.cache/bundle-');
  t.after(() => rmSync(folder, { recursive: true }));
  const program = `const { default: yaml, stringify } = await import('yaml');
export const texts = [stringify({ a: 1 }), yaml.stringify({ b: 2 })];`;
  writeFileSync(`${folder}/program.ts`, program);
  await bundle(`${folder}/dist`, [`${folder}/program.ts`]);
  const { texts } = await import(resolve(folder, 'dist', folder, 'program.js'));
  assert.deepEqual(texts, ['a: 1\n', 'b: 2\n']);
});
