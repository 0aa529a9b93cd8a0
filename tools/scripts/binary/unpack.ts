import { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The contents of files by their paths, such as `node_modules/a/b.js`. */
export type Files = ReadonlyMap<string, Uint8Array>;

export function pack(files: Files): Uint8Array {
  return zstdCompressSync(serialize(files), { params: { [constants.ZSTD_c_compressionLevel]: 12 } });
}

/**
 * Unpacks an archive once, into a folder that no other user can change.
 * @param name the name of the folder, which another archive must not have
 * @param readArchive reads what {@link pack} returned
 * @returns the folder
 * @throws Error if no folder can be used
 */
export function unpack(name: string, readArchive: () => Uint8Array): string {
  const problems: string[] = [];
  for (const getParent of [getCacheFolder, getTemporaryFolder]) {
    try {
      return unpackInto(getParent(), name, readArchive);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(`xpk cannot unpack its files. Set XDG_CACHE_HOME to a folder that you own. The reasons:\n  ${problems.join('\n  ')}`);
}

function getCacheFolder(): string {
  const { XDG_CACHE_HOME: folder = '' } = process.env;
  return join(isAbsolute(folder) ? folder : join(homedir(), '.cache'), 'xpk');
}

const getTemporaryFolder = () => join(tmpdir(), `xpk-${process.getuid?.()}`);

function unpackInto(parent: string, name: string, readArchive: () => Uint8Array): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  checkOwner(parent);
  const folder = join(parent, name);
  if (existsSync(folder)) return folder;
  // Other processes see the folder only when it is complete.
  const incomplete = mkdtempSync(`${folder}-`);
  try {
    writeFiles(incomplete, deserialize(zstdDecompressSync(readArchive())) as Files);
    renameSync(incomplete, folder);
  } catch (error) {
    rmSync(incomplete, { recursive: true });
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** In a shared folder such as /tmp, another user could have created the folder, and could replace the code. */
function checkOwner(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  const isOwn = uid === process.getuid?.() || uid === 0;
  if (!isOwn || (mode & 0o022) !== 0) throw new Error(`${folder} can be changed by another user.`);
}

function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
