import type { RuleId } from '../../src/contract/generated/rules.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';

/** The tag for the slowest checks, which start first. */
export const LONG_TAG = '@long';
/** The tag for checks that wait for at least a second, and therefore run in a separate worker. */
export const WAITING_TAG = '@waiting';

export interface CheckDetails {
  readonly annotation: { readonly type: 'rule'; readonly description: RuleId };
  readonly tag: string[];
  readonly lock?: string | string[];
}

interface RuleOptions {
  readonly tag?: typeof LONG_TAG | typeof WAITING_TAG;
  /** Checks with the same lock do not run at the same time. */
  readonly lock?: string | string[];
}

/**
 * Returns a check's title and details: `test(...rule('users.get.shape'), async ({ api }) => {})`.
 * @param variant the end of the title, if the rule has several checks
 */
export function rule(id: RuleId, variant?: string | number, { tag, ...lock }: RuleOptions = {}): [title: string, details: CheckDetails] {
  const { text } = rules[id];
  const title = variant === undefined ? text : `${text.replace(/\.$/, '')}: ${variant}.`;
  return [title, { annotation: { type: 'rule', description: id }, tag: tag === undefined ? [] : [tag], ...lock }];
}
