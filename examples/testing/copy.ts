import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const EXAMPLE_FOLDER = 'examples/provider-app';

/** A copy of examples/provider-app with its dependencies. */
interface ExampleCopy extends Disposable {
  readonly folder: string;
}

export function copyExample(): ExampleCopy {
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
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
