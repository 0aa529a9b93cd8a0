/**
 * Writes the files that are generated from the contract, and lists what a rule lacks, such as a check. With `--check`, writes nothing, and
 * fails if a file is stale or a rule lacks something.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Files, GENERATED_FOLDER, generateFrom } from './generate/outputs.ts';

const root = join(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');

function updateFiles(files: Files): string[] {
  const stale = [...files].filter(([path, content]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== content);
  for (const [path, content] of isCheck ? [] : stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return stale.map(([path]) => path);
}

const { files, readPages } = await generateFrom(root);
const stale = updateFiles(files);
for (const path of readdirSync(join(root, GENERATED_FOLDER)).map((name) => `${GENERATED_FOLDER}/${name}`)) {
  if (files.has(path)) continue;
  stale.push(path);
  if (!isCheck) rmSync(join(root, path));
}
// Generate the pages last, because listing the suite's checks loads the other generated files.
const { pages, gaps } = await readPages();
stale.push(...updateFiles(pages));
if (isCheck) {
  for (const path of stale) console.error(`${path} is stale: run npm run generate`);
  process.exitCode = stale.length + gaps.length === 0 ? 0 : 1;
} else console.log(stale.length === 0 ? 'nothing changed' : stale.map((path) => `wrote ${path}`).join('\n'));
for (const gap of gaps) console.error(gap);
