/** Writes the frozen sets of rules for `xpk conformance --requirements`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRules, type Requirements } from '../../../src/report/requirements.ts';
import type { Files } from './outputs.ts';
import type { Rules } from './rules.ts';

export const REQUIREMENTS_FOLDER = 'openapi/requirements';

export function formatRequirements(kit: string, rules: Rules): string {
  const lines = Object.entries(listRules(rules)).map(([id, rule]) => `    ${JSON.stringify(id)}: ${JSON.stringify(rule)}`);
  return `{\n  "kit": ${JSON.stringify(kit)},\n  "rules": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/** Returns the set of the version in package.json, if it has a set, and if the changelog does not say that the version was released. */
export function updateRequirements(root: string, rules: Rules): Files {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  if (!readFileSync(join(root, 'docs/CHANGELOG.md'), 'utf8').includes(`\n## ${version} - unreleased\n`)) return new Map();
  const paths = readdirSync(join(root, REQUIREMENTS_FOLDER)).flatMap((name) =>
    name.endsWith('.json') ? `${REQUIREMENTS_FOLDER}/${name}` : [],
  );
  const own = paths.filter((path) => (JSON.parse(readFileSync(join(root, path), 'utf8')) as Requirements).kit === version);
  return new Map(own.map((path) => [path, formatRequirements(version, rules)]));
}
