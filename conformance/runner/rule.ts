import type { RuleId } from '../../src/contract/generated/rules.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';

/**
 * The tag for checks that explore, send many requests, or wait until a token expires. They run last, because the exploration needs the
 * decisions that other checks observe. In a kit, they run in a separate worker. With one worker, they run at the same time.
 */
export const LONG_TAG = '@exploration-limits-and-expiry';
/** The tag for checks that wait for at least a second, and therefore run in a separate worker. */
export const WAITING_TAG = '@waiting';
/** Tags for waiting checks that run at the same time: those of absent events or a later second, and those of repeated deliveries. */
export const SILENCE_TAG = '@waiting-for-absent-events';
export const REPEATS_TAG = '@waiting-for-repeats';
type Tag = typeof LONG_TAG | typeof WAITING_TAG | typeof SILENCE_TAG | typeof REPEATS_TAG;

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
