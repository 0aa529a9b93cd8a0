import type { RuleId } from '../../src/contract/generated/rules.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';

/** The tag for the checks that send many requests, and therefore run in a separate worker. */
export const LOAD_TAG = '@load';
/** The tag for checks that wait for at least a second, and therefore run in a separate worker. */
export const WAITING_TAG = '@waiting';
/** The tag for the checks that explore, which run in a separate worker, because they need decisions that other checks observe. */
export const EXPLORING_TAG = '@exploring';
/** Tags for waiting checks that run at the same time: those of absent events, and those of repeated deliveries and other long waits. */
export const SILENCE_TAG = '@waiting-for-absent-events';
export const REPEATS_TAG = '@waiting-for-repeats-or-expiry';
type Tag = typeof LOAD_TAG | typeof WAITING_TAG | typeof SILENCE_TAG | typeof REPEATS_TAG | typeof EXPLORING_TAG;

export interface CheckDetails {
  readonly annotation: { readonly type: 'rule'; readonly description: RuleId };
  readonly tag: string[];
  readonly lock?: string | string[];
}

interface RuleOptions {
  readonly tag?: Tag;
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
