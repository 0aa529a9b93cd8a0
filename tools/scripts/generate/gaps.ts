/** Lists what a rule still lacks beside its entry in the contract. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type CoverageRow, findIds, findQuotedWords } from './coverage.ts';
import type { Checks } from './pages.ts';
import type { Rules } from './rules.ts';

interface Sources {
  readonly checks: Checks;
  readonly coverage: { readonly text: string; readonly rows: readonly CoverageRow[] };
}

export function* findGaps(rules: Rules, { checks, coverage: { text, rows } }: Sources): Generator<string> {
  const sections = text.split(/^## /m).map((part) => ({ title: part.slice(0, part.indexOf('\n')), ids: findIds(part) }));
  for (const [id, rule] of Object.entries(rules)) {
    const isTested = rule.actor === 'service' && rule.level !== 'advice' && rule.untestable === undefined && rule.document !== 'control';
    if (isTested && !checks.has(id)) yield `The rule ${id} has no check. Add one to a file in conformance/rules.`;
    if (!sections.some(({ title, ids }) => title === rule.section && ids.includes(id)))
      yield `The rule ${id} is not in docs/specification-coverage.md. Add it to the rules of a row under "${rule.section}".`;
    else if (rule.level === 'documented' && findQuotedWords(id, rule, rows).length === 0)
      yield `The documented rule ${id} has no quoted words in docs/specification-coverage.md. Add it to the row that quotes its sentence.`;
  }
}

/** Loads the mutants in another process, because this one may have loaded an older list of rules. */
export function findMutantGaps(root: string): string[] {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'conformance/proof/mutants/mutants.ts')], { encoding: 'utf8' });
  return status === 0 ? [] : [/^Error: (.*)$/m.exec(stderr)?.[1] ?? stderr];
}
