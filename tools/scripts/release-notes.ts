// npm run release-notes -- v0.1.0
// Prints the changelog's section about a release. Fails if package.json has another version, or if the section has no date.
import { existsSync, readFileSync } from 'node:fs';
import { version } from '../../src/version.ts';
import { findRequirements } from './generate/requirements.ts';

/** @returns undefined unless a section has the heading `VERSION - YYYY-MM-DD` */
export function findReleaseNotes(changelog: string, released: string): string | undefined {
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`${released} - `));
  return section?.match(/^\S+ - \d{4}-\d{2}-\d{2}\n([\s\S]*)$/)?.[1]?.trim();
}

if (import.meta.main) {
  const released = (process.argv[2] ?? '').replace(/^v/, '');
  const notes = findReleaseNotes(readFileSync('docs/CHANGELOG.md', 'utf8'), released);
  const problems = [
    ...(released === version ? [] : [`package.json has the version ${version}, not ${released}.`]),
    ...(findRequirements('.', version).length > 0
      ? []
      : ['There are no frozen requirements of this version: npm run freeze-requirements -- YYYY-MM']),
    ...(existsSync(`results/${version}`)
      ? []
      : ['There are no results of the known targets with this version: npm run prove -- --only targets --keep']),
    ...(notes ? [] : [`docs/CHANGELOG.md has no text below a heading "## ${released} - YYYY-MM-DD".`]),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(notes);
}
