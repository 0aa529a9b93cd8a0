/** `npm run generate` writes the files that are generated from the contract. With `--check`, it lists stale files and fails instead. */
import { fileURLToPath } from 'node:url';
import { staleFiles, writeFiles } from './generate/files.ts';
import { generatedFolders, generateFrom } from './generate/outputs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { files, pages } = await generateFrom(root);

// The pages list the checks of the suite, which imports the generated files: these come first.
if (process.argv.includes('--check')) {
  const stale = [...staleFiles(root, files, generatedFolders), ...staleFiles(root, await pages(), [])];
  for (const path of stale) console.error(`${path} is stale: run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  const changed = writeFiles(root, files, generatedFolders);
  changed.push(...writeFiles(root, await pages(), []));
  console.log(changed.length === 0 ? 'nothing changed' : changed.map((path) => `wrote ${path}`).join('\n'));
}
