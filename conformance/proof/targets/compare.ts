import { stringify } from 'yaml';
import type { Cell, Verdict } from '../../../src/report/results.ts';
import type { WorldProblem } from '../../../src/world/problem.ts';
import type { Expected, GoldenList } from './list.ts';
import { keyOf, type Verdicts } from './verdicts.ts';

/** A verdict that is not the one in the list. */
export interface Difference {
  readonly expected: Expected;
  readonly verdict: Verdict;
  /** Why it is what it is, where the suite says so. */
  readonly told: string;
}

export function differences({ expected }: Pick<GoldenList, 'expected'>, verdicts: Verdicts): Difference[] {
  return expected.flatMap((each): Difference[] => {
    const cell = verdicts.get(keyOf(each.rule, each.form));
    const verdict = cell?.verdict ?? 'not-testable';
    return verdict === each.verdict ? [] : [{ expected: each, verdict, told: cell === undefined ? 'it was not judged' : toldBy(cell) }];
  });
}

function toldBy({ verdict, reason, missing, checks }: Cell): string {
  const check = checks.find((each) => each.verdict === verdict);
  const words = [check?.failure?.message.split('\n', 1)[0], reason, missing.length > 0 ? `missing: ${missing.join(', ')}` : undefined];
  return [check && `${check.place} ${check.title}`, words.find(Boolean)].filter(Boolean).join(' — ');
}

/** As problems of the list: which line says otherwise, and why it does. */
export function asProblems(found: readonly Difference[]): WorldProblem[] {
  return found.map(({ expected: { rule, form, verdict: deserved, why, pointer }, verdict, told }) => ({
    pointer,
    reason: `${rule} (${form}) is ${verdict}, not ${deserved}.\n    The list says: ${why.trim()}\n    The suite says: ${told || 'nothing more'}`,
  }));
}

/** The same as groups of a list, without reasons: those are nobody's to make up. What the suite says stands behind each rule. */
export function asGroups(found: readonly Difference[]): string {
  const groups = Map.groupBy(found, ({ expected, verdict }) => `${verdict} ${expected.form}`);
  return [...groups.values()]
    .map((group) => {
      const [{ expected, verdict }] = group as [Difference];
      const rules = group.map(({ expected: { rule }, told }) => `    - ${rule} # ${told.replaceAll(/\s+/g, ' ')}`);
      return `${stringify([{ verdict, form: expected.form, why: '' }]).trimEnd()}\n  rules:\n${rules.join('\n')}\n`;
    })
    .join('');
}
