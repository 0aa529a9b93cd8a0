import type { PathForm } from '../contract/generated/operations.ts';
import type { Results } from './results.ts';

/** A failure that is known and tolerated. Without a form: in every form. */
export interface KnownFailure {
  readonly rule: string;
  readonly form?: PathForm | undefined;
  readonly reason: string;
}

export interface Compared {
  /** Failures that the baseline knows, as `rule form`. */
  readonly tolerated: ReadonlySet<string>;
  /** Entries that are no longer true: what they tolerate passes now, where it was judged. */
  readonly stale: readonly KnownFailure[];
}

/**
 * A run held against the failures that are known. An entry whose rule was not judged in this run (another --rule or --form, a capability that is
 * missing) is neither confirmed nor stale. Errors of the suite are never tolerated.
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
