import type { RuleId } from '../../src/contract/generated/rules.ts';

/** The tag of a check that waits as long as an endpoint may take to answer. Such checks start first. */
export const LONG = '@long';

export interface Details {
  readonly annotation: { readonly type: 'rule'; readonly description: RuleId };
  readonly tag: string[];
}

/** Says which rule a test checks, for reports and for `--rule`. */
export function rule(id: RuleId, ...tags: readonly (typeof LONG)[]): Details {
  return { annotation: { type: 'rule', description: id }, tag: [...tags] };
}
