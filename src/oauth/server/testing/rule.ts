import type { RuleId } from '../../../contract/generated/rules.ts';
import { rules } from '../../../contract/generated/rules-table.ts';

/** The title of a test: the sentences of the rules that it proves, and their ids. A rule that does not exist does not compile. */
export function rule(...ids: readonly [RuleId, ...RuleId[]]): string {
  return `${ids.map((id) => rules[id].text).join(' ')} [${ids.join(', ')}]`;
}
