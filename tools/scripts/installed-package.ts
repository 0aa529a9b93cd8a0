import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Contains the path of the folder in which the package is installed. */
const FOLDER_FILE = 'node_modules/.cache/installed-package';

/** Runs npm, which must not download packages that it has in its cache. @returns the output to stdout */
export function runNpm(folder: string, ...args: readonly string[]): string {
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error'];
  return execFileSync('npm', [...args, ...options], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/**
 * Packs the build and installs it in an empty folder outside the repository, whose path contains a space. If the same package is already
 * installed, keeps it, so that all commands use one installation.
 * @returns the folder in which the package is installed
 */
export function installPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'xpk installed-'));
  const output = runNpm('.', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename, size, entryCount }] = JSON.parse(output) as [{ filename: string; size: number; entryCount: number }];
  const installed = existsSync(FOLDER_FILE) ? readFileSync(FOLDER_FILE, 'utf8') : folder;
  const installedFile = join(installed, filename);
  if (installed !== folder && existsSync(installedFile)) {
    const isSame = readFileSync(installedFile).equals(readFileSync(join(folder, filename)));
    rmSync(isSame ? folder : installed, { recursive: true });
    if (isSame) return installed;
  }
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  runNpm(folder, 'install', `./${filename}`);
  mkdirSync(dirname(FOLDER_FILE), { recursive: true });
  writeFileSync(FOLDER_FILE, folder);
  console.log(`Installed ${filename} (${entryCount} files, ${Math.round(size / 1024)} KiB) in ${folder}`);
  return folder;
}
