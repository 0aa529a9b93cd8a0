import { matchesGlob } from 'node:path';
import { listRulesInScope } from '../../checks/results.ts';
import type { CheckName } from '../../checks/rules.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { type RuleInScope, rulesInScope } from '../../report/scope.ts';
import type { WorldProblem } from '../../world/problem.ts';
import { print } from '../command.ts';
import { UsageError } from '../usage-error.ts';
import type { ReportFlags } from './options.ts';

/**
 * Returns the rules whose ids match a given pattern, in which `*` matches any characters. A pattern after `!` excludes rules. If every
 * pattern begins with `!`, returns all rules that are not excluded.
 * @param option the option's name, for error messages
 * @param check the integration check; undefined for the conformance suite
 * @throws UsageError if a pattern matches no rule, or if all rules are excluded
 */
export function selectRules(given: readonly string[], option = '--rule', check?: CheckName): RuleInScope[] {
  const scope = listTestedRules(check);
  const findRules = (id: string) => {
    const found = scope.filter((rule) => matchesGlob(rule.id, id));
    if (found.length === 0) throw new UsageError(`${option} ${id}: ${describeUnknownRule(id, check)}`);
    return found;
  };
  const excluded = given.filter((text) => text.startsWith('!'));
  const selected = new Set(excluded.length === given.length ? scope : given.filter((text) => !text.startsWith('!')).flatMap(findRules));
  for (const rule of excluded.flatMap((text) => findRules(text.slice(1)))) selected.delete(rule);
  if (selected.size === 0) throw new UsageError(`${option} ${given.join(' ')}: These patterns exclude all rules.`);
  return scope.filter((rule) => selected.has(rule));
}

/**
 * Returns a problem for each entry whose rule the run does not test.
 * @param pointer the JSON pointer to the entries
 */
export function findUnknownRules(entries: readonly { readonly rule: string }[], pointer: string, check?: CheckName): WorldProblem[] {
  const ids = listTestedRules(check).map(({ id }) => id as string);
  return entries.flatMap(({ rule }, index) =>
    ids.includes(rule) ? [] : [{ pointer: `${pointer}/${index}/rule`, reason: describeUnknownRule(rule, check) }],
  );
}

/** @throws UsageError if `--rule` matches no rule */
export function listRules({ rule = ['*'], json = false }: Pick<ReportFlags, 'rule' | 'json'>, check?: CheckName): void {
  const listed = selectRules(rule, '--rule', check).map(({ id, level, columns, text }) => ({ id, level, columns, text }));
  print({ json }, listed, () => listed.map((each) => formatRule(each, check)).join('\n'));
}

function formatRule(
  { id, level, columns, text }: Pick<RuleInScope, 'id' | 'level' | 'columns' | 'text'>,
  check: CheckName | undefined,
): string {
  const forms = check === undefined ? (columns.length === 1 ? 'one path   ' : 'both forms  ') : ' ';
  return `${id.padEnd(52)} ${level.padEnd(10)} ${forms}${text}`;
}

export function listTestedRules(check: CheckName | undefined): readonly RuleInScope[] {
  return check === undefined ? rulesInScope : listRulesInScope(check);
}

function describeUnknownRule(id: string, check: CheckName | undefined): string {
  const [tester, command] = check === undefined ? ['The suite', 'xpk conformance'] : ['This check', `xpk check ${check}`];
  if (Object.hasOwn(rules, id)) return `${tester} does not test this rule. List its rules with: ${command} --list`;
  const known = listTestedRules(check).map((rule) => rule.id);
  return `There is no such rule.${didYouMean(id, known) || ` List the rules with: ${command} --list`}`;
}
