import type { RuleId } from '../../src/contract/generated/rules.ts';

/** The tag of a check that sends as much as a limit lets pass, and more. */
export const RATE = '@rate';

export interface Details {
  readonly annotation: { readonly type: 'rule'; readonly description: RuleId };
  readonly tag: string[];
}

/** Says which rule a test checks: reports, saboteurs and `--rule` go by it. @param tags what else there is to know of it before it is made. */
export function rule(id: RuleId, ...tags: readonly (typeof RATE)[]): Details {
  return { annotation: { type: 'rule', description: id }, tag: [...tags] };
}
