/** `npm run generate` writes what is derived from the contract; `--check` names what is stale and fails. */
import { fileURLToPath } from 'node:url';
import { staleFiles, writeFiles } from './generate/files.ts';
import { generatedFolders, generateFiles } from './generate/outputs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const files = await generateFiles(root);

if (process.argv.includes('--check')) {
  const stale = staleFiles(root, files, generatedFolders);
  for (const path of stale) console.error(`${path} is stale: run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  const changed = writeFiles(root, files, generatedFolders);
  console.log(changed.length === 0 ? 'nothing changed' : changed.map((path) => `wrote ${path}`).join('\n'));
}
