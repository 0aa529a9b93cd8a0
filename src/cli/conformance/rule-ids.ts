import { didYouMean } from '../../contract/did-you-mean.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { rulesInScope } from '../../report/scope.ts';
import type { WorldProblem } from '../../world/problem.ts';
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

/** Finds the entries of a list in a file whose rule the suite does not test. @param pointer the place of the list in the file */
export function unknownRules(entries: readonly { readonly rule: string }[], pointer: string): WorldProblem[] {
  return entries.flatMap(({ rule }, index) =>
    rulesInScope.some(({ id }) => id === rule) ? [] : [{ pointer: `${pointer}/${index}/rule`, reason: whyUnknown(rule) }],
  );
}

function whyUnknown(id: string): string {
  if (Object.hasOwn(rules, id)) return 'The suite does not test this rule. List its rules with: xpk conformance --list';
  const known = rulesInScope.map((rule) => rule.id);
  return `There is no such rule.${didYouMean(id, known) || ' List the rules with: xpk conformance --list'}`;
}
