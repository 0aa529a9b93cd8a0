import { didYouMean } from '../../contract/did-you-mean.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { rulesInScope } from '../../report/scope.ts';
import { UsageError } from '../usage-error.ts';

/** The rules that --rule selects. `users.list.*` selects all rules that begin with `users.list.`. @throws UsageError for an unknown rule */
export function ruleIds(given: readonly string[]): RuleId[] {
  const named = new Set<RuleId>();
  for (const text of given) {
    const found = text.endsWith('*')
      ? rulesInScope.filter(({ id }) => id.startsWith(text.slice(0, -1)))
      : rulesInScope.filter(({ id }) => id === text);
    if (found.length === 0) throw new UsageError(`--rule ${text}: ${whyUnknown(text)}`);
    for (const { id } of found) named.add(id);
  }
  return [...named];
}

/** Explains why the suite does not test the rule `id`. @returns undefined if the suite tests the rule */
export function unknownRule(id: string): string | undefined {
  return rulesInScope.some((rule) => rule.id === id) ? undefined : whyUnknown(id);
}

function whyUnknown(id: string): string {
  if (Object.hasOwn(rules, id)) return 'The suite does not test this rule. List its rules with: xpk conformance --list';
  return `There is no such rule.${
    didYouMean(
      id,
      rulesInScope.map((rule) => rule.id),
    ) || ' List the rules with: xpk conformance --list'
  }`;
}
