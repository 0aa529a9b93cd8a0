import { didYouMean } from '../../contract/did-you-mean.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { rulesInScope } from '../../report/scope.ts';
import { UsageError } from '../usage-error.ts';

/** The rules that ids name; `users.list.*` names all that begin so. @throws UsageError */
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

/** Why an id is not that of a rule which the suite judges, or undefined. */
export function unknownRule(id: string): string | undefined {
  return rulesInScope.some((rule) => rule.id === id) ? undefined : whyUnknown(id);
}

function whyUnknown(id: string): string {
  if (Object.hasOwn(rules, id)) return 'This rule is not among those that the suite judges. Those are listed by: xpk conformance --list';
  return `There is no such rule.${
    didYouMean(
      id,
      rulesInScope.map((rule) => rule.id),
    ) || ' All are listed by: xpk conformance --list'
  }`;
}
