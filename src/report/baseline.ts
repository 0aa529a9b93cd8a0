import type { PathForm } from '../contract/generated/operations.ts';
import type { Results } from './results.ts';

/** A failure that is tolerated. Without a form: in both forms. */
export interface KnownFailure {
  readonly rule: string;
  readonly form?: PathForm | undefined;
  readonly reason: string;
}

export interface Compared {
  /** Failures in the baseline, as `rule form`. */
  readonly tolerated: ReadonlySet<string>;
  /** Entries whose rule was tested and passes now. */
  readonly stale: readonly KnownFailure[];
}

/**
 * Compares a run with the known failures. An entry whose rule was not tested in this run (because of --rule, --form or a missing capability) is not
 * stale. Errors of the suite are never tolerated.
 */
export function compareWithBaseline(results: Results, known: readonly KnownFailure[]): Compared {
  const rules = new Map<string, Results['rules'][number]>(results.rules.map((rule) => [rule.id, rule]));
  const tolerated = new Set<string>();
  const stale: KnownFailure[] = [];
  for (const entry of known) {
    const cells = Object.entries(rules.get(entry.rule)?.cells ?? {}).filter(([form]) => entry.form === undefined || entry.form === form);
    const failed = cells.filter(([, { verdict }]) => verdict === 'failed');
    for (const [form] of failed) tolerated.add(`${entry.rule} ${form}`);
    if (failed.length === 0 && cells.some(([, { verdict }]) => verdict === 'passed')) stale.push(entry);
  }
  return { tolerated, stale };
}
