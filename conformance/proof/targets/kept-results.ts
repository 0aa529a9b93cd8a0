// The results of the known targets with each release are kept in `results`, so that a later release can be compared with them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Results } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { findDifferences } from '../../../src/report/diff.ts';
import { parseResults } from '../../../src/report/read-results.ts';
import { applyRequirements, type Requirements } from '../../../src/report/requirements.ts';
import { isScored } from '../../../src/report/totals.ts';
import { version } from '../../../src/version.ts';
import { findRequirements } from '../../../tools/scripts/generate/requirements.ts';
import { isUntestedVerdict, type ProofFailure } from '../server.ts';

const ROOT = new URL('../../../', import.meta.url);
const FOLDER = new URL('results/', ROOT);
const getPath = (release: string, target: string): URL => new URL(`${release}/${target.replaceAll(' ', '-')}.json`, FOLDER);

/** Keeps the verdicts, without the checks and their evidence. */
export function keepResults(target: string, results: Results): void {
  const compact = {
    ...results,
    target: { ...results.target, name: target, version },
    rules: results.rules.map(({ cells, ...rule }) => {
      const kept = Object.entries(cells).map(([column, { verdict, reason }]) => [
        column,
        { verdict, ...(reason && { reason }), missing: [], checks: [] },
      ]);
      return { ...rule, cells: Object.fromEntries(kept) as typeof cells };
    }),
  } satisfies Results;
  const path = getPath(version, target);
  mkdirSync(new URL('.', path), { recursive: true });
  // A line for each rule, so that the difference of two releases can be read.
  const lines = Object.entries(compact).map(([name, value]) => {
    const text = name === 'rules' ? `[\n${compact.rules.map((rule) => JSON.stringify(rule)).join(',\n')}\n]` : JSON.stringify(value);
    return `${JSON.stringify(name)}: ${text}`;
  });
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`);
}

/** Compares the run with that of the newest kept release, under the requirements of that release. */
export function findChangedVerdicts(target: string, results: Results): ProofFailure[] {
  const release = readdirSync(FOLDER)
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1)!;
  const path = getPath(release, target);
  if (!existsSync(path)) return [{ server: target, text: `has no results of ${release}: npm run prove -- --only targets --keep` }];
  const kept = parseResults(readFileSync(path, 'utf8'), path.pathname);
  const [set] = findRequirements(fileURLToPath(ROOT), kept.kit);
  const frozen = JSON.parse(readFileSync(new URL(set!, ROOT), 'utf8')) as Requirements;
  const applied = applyRequirements(results, frozen);
  const { worse, better, other } = findDifferences(kept, { ...applied, rules: applied.rules.filter(isScored) });
  return [...worse, ...better, ...other].map(({ rule, column, before, after }) => ({
    server: target,
    rule: rule as RuleId,
    text: `(${column}) is ${after}, and was ${before} in ${release}`,
    untested: after !== 'none' && isUntestedVerdict(after),
  }));
}
