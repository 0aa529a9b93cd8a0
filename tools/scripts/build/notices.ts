import { globSync, readFileSync } from 'node:fs';

/** @throws Error if a package has no license */
export function createNotices(files: readonly string[]): string {
  const folders = new Set(files.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<string, string>;
    const [file] = globSync(`${folder}/{licen[cs]e,LICEN[CS]E,Licen[cs]e}*`);
    if (file === undefined && license === undefined) throw new Error(`${name} ${version} has no license, so it cannot be bundled.`);
    const text = file === undefined ? `License: ${license}, ${JSON.stringify(author ?? name)}` : readFileSync(file, 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `This package contains code from the following packages.\n\n${[...new Set(texts)].join(`\n${'-'.repeat(80)}\n`)}`;
}
