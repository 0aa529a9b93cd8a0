import type { DecisionId } from '../contract/generated/decisions.ts';
import { decisions } from '../contract/generated/decisions-table.ts';

/** The decisions about an account that the caller may not see. A target may answer each list, and each such account, in another way. */
export const HIDDEN_LIST_DECISIONS: readonly DecisionId[] = ['lists.hidden-account', 'connections.list.unknown-number'];

/** The statuses that a decision permits for a refusal. */
export function listStatuses(id: string): readonly number[] {
  const { default: usual, alternatives = [] } = decisions[id as DecisionId] ?? { default: 0 };
  return [usual, ...alternatives].filter((value) => typeof value === 'number');
}

/** Decisions that change neither whether a request succeeds nor what it shows, or whose alternatives the comparison always permits. */
const IRRELEVANT =
  /^(auth|http\.(uuid-letter-case|path-id|query\.unknown-parameter)|connections\.(create|update\.status|delete\.status)|events|limits|oauth|provisioning|users|lists\.(cursor\.format|order|page-fill|page-size|read-model-lag))\b/;

/** Whether what the twin did depends on an open point that the target has not shown. */
export const isUndecided = (reads: ReadonlySet<DecisionId>, decided: ReadonlySet<DecisionId>): boolean =>
  [...reads].some((id) => !decided.has(id) && !IRRELEVANT.test(id));
