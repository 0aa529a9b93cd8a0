import type { RuleId } from '../../src/contract/generated/rules.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';

/** The tag of checks that wait as long as an endpoint may take to respond. These checks start first, because they take the longest. */
export const LONG = '@long';
/** The tag of checks that wait for a second or more. They run in a worker of their own, so that the other checks need not wait. */
export const WAITING = '@waiting';

export interface Details {
  readonly annotation: { readonly type: 'rule'; readonly description: RuleId };
  readonly tag: string[];
  readonly lock?: string | string[];
}

interface Options {
  readonly tag?: typeof LONG | typeof WAITING;
  /** Checks with the same lock do not run at the same time. */
  readonly lock?: string | string[];
}

/**
 * Returns the title and the details of a check: `test(...rule('users.get.shape'), async ({ api }) => {})`. The title is the text of the
 * rule.
 * @param variant added to the title if the rule has several checks
 */
export function rule(id: RuleId, variant?: string | number, { tag, ...lock }: Options = {}): [title: string, details: Details] {
  const { text } = rules[id];
  const title = variant === undefined ? text : `${text.replace(/\.$/, '')}: ${variant}.`;
  return [title, { annotation: { type: 'rule', description: id }, tag: tag === undefined ? [] : [tag], ...lock }];
}
