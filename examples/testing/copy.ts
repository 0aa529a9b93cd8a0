import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const EXAMPLE_FOLDER = 'examples/provider-app';

/** A change to a file. `search` must occur exactly once. */
export interface FileEdit {
  readonly file: string;
  readonly search: string;
  readonly replace: string;
}

/** A copy of examples/provider-app with its dependencies. */
interface ExampleCopy extends Disposable {
  readonly folder: string;
}

/** Copies examples/provider-app, and edits the copy. @throws Error unless each `search` occurs exactly once */
export function copyExample(edits: readonly FileEdit[] = []): ExampleCopy {
  const folder = mkdtempSync(join(tmpdir(), 'provider-app-copy-'));
  cpSync(EXAMPLE_FOLDER, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(EXAMPLE_FOLDER, 'package.json'), 'utf8'));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(name === 'experience-provider-kit' ? resolve('.') : resolve('node_modules', name), link);
  }
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync(resolve('src/cli/xpk.cjs'), join(folder, 'node_modules/.bin/xpk'));
  for (const { file, search, replace } of edits) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(search);
    if (parts.length !== 2)
      throw new Error(`${EXAMPLE_FOLDER}/${file} must contain this text once, not ${parts.length - 1} times: ${search}`);
    writeFileSync(path, parts.join(replace));
  }
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
