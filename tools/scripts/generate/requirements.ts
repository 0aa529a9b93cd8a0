/** Writes the frozen sets of rules for `xpk conformance --requirements`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getVariant, listRules, type Requirements } from '../../../src/report/requirements.ts';
import type { Checks } from './pages.ts';
import type { Rules } from './rules.ts';

export const REQUIREMENTS_FOLDER = 'openapi/requirements';

export function formatRequirements(kit: string, rules: Rules, suite: Checks): string {
  const lines = Object.entries(listRules(rules)).map(([id, rule]) => {
    const titles = [...(suite.get(id)?.values() ?? [])].flat();
    const checks = titles.length > 0 && { checks: titles.map((title) => getVariant(title, rule.text)).sort() };
    return `    ${JSON.stringify(id)}: ${JSON.stringify({ ...rule, ...checks })}`;
  });
  return `{\n  "kit": ${JSON.stringify(kit)},\n  "rules": {\n${lines.join(',\n')}\n  }\n}\n`;
}

/** Returns the paths of the sets of a version of the kit. */
export function findRequirements(root: string, version: string): string[] {
  return readdirSync(join(root, REQUIREMENTS_FOLDER))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${REQUIREMENTS_FOLDER}/${name}`)
    .filter((path) => (JSON.parse(readFileSync(join(root, path), 'utf8')) as Requirements).kit === version);
}

/** Returns the sets of the version in package.json, with its present rules, unless the changelog says that the version was released. */
export function updateRequirements(root: string, rules: Rules, checks: Checks): Map<string, string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const isReleased = !readFileSync(join(root, 'docs/CHANGELOG.md'), 'utf8').includes(`\n## ${version} - unreleased\n`);
  return new Map(isReleased ? [] : findRequirements(root, version).map((path) => [path, formatRequirements(version, rules, checks)]));
}
