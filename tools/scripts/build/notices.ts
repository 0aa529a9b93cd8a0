import { globSync, readFileSync } from 'node:fs';
import type { BundledPackage } from './bundled-packages.ts';

/** @throws Error if a package has no license */
export function createNotices(packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ name, version, license, author, folder }) => {
    const [file] = globSync(`${folder}/{licen[cs]e,LICEN[CS]E,Licen[cs]e}*`);
    if (file === undefined && license === undefined) throw new Error(`${name} ${version} has no license, so it cannot be bundled.`);
    const text = file === undefined ? `License: ${license}, ${JSON.stringify(author ?? name)}` : readFileSync(file, 'utf8').trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `This package contains code from the following packages.\n\n${[...new Set(texts)].join(`\n${'-'.repeat(80)}\n`)}`;
}
