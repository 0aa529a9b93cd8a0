import { readFileSync } from 'node:fs';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, such as `MIT`. */
  readonly license?: string;
  readonly author?: unknown;
  readonly folder: string;
}

/** @param files the paths of all bundled files */
export function listBundledPackages(files: readonly string[]): BundledPackage[] {
  const folders = new Set(files.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
  return [...folders].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as BundledPackage;
    return { name, version, ...(license !== undefined && { license }), author, folder };
  });
}
