/** Writes the generated files, or finds those on disk that are stale. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Contents by path, relative to the project's root. */
export type Files = Map<string, string>;

/** The paths whose content on disk differs, and files in a generated folder that are no longer generated. */
export function staleFiles(root: string, files: Files, generatedFolders: string[]): string[] {
  const stale = [...files].filter(([path, content]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== content);
  return [...stale.map(([path]) => path), ...leftOver(root, files, generatedFolders)].sort();
}

function leftOver(root: string, files: Files, folders: string[]): string[] {
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  return present.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)).filter((path) => !files.has(path));
}

/** Writes only stale files, so that watchers see no other changes. @returns the paths that changed */
export function writeFiles(root: string, files: Files, generatedFolders: string[]): string[] {
  const stale = staleFiles(root, files, generatedFolders);
  for (const path of stale) {
    const content = files.get(path);
    if (content === undefined) rmSync(join(root, path));
    else {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  }
  return stale;
}
