import { matchesGlob } from 'node:path';
import { didYouMean } from '../../contract/did-you-mean.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { rulesInScope } from '../../report/scope.ts';
import type { WorldProblem } from '../../world/problem.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Returns the rules with these ids. `*` matches any characters, as in `users.*.scope`.
 * @param option the name of the option, for error messages
 * @throws UsageError if no rule has the id
 */
export function ruleIds(given: readonly string[], option = '--rule'): RuleId[] {
  const named = new Set<RuleId>();
  for (const text of given) {
    const found = rulesInScope.filter(({ id }) => matchesGlob(id, text));
    if (found.length === 0) throw new UsageError(`${option} ${text}: ${whyUnknown(text)}`);
    for (const { id } of found) named.add(id);
  }
  return [...named];
}

/** Finds entries with a rule that the suite does not test. @param pointer the JSON pointer to the list of entries in the file */
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
