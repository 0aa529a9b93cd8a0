import { createHash } from 'node:crypto';
import type { Check, Results, RuleResult } from '../contract/generated/results.ts';
import type { Rule } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';

interface FrozenRule extends Pick<Rule, 'level' | 'text'> {
  /** The variants of the suite's checks of the rule. Undefined if the suite has none, or for the rules of this version of the kit. */
  readonly checks?: readonly string[];
}

/** @returns what distinguishes a check from the other checks of its rule: the end of its title; empty if the title is the rule's text */
export const getVariant = (title: string, text: string): string => title.slice(text.length + 1, -1).trim();

/** A set of rules: those of a file in openapi/requirements, or those of this version of the kit. */
export interface Requirements {
  /** Undefined for the rules of this version of the kit. */
  readonly name?: string;
  /** The version of the kit. */
  readonly kit: string;
  readonly rules: Readonly<Record<string, FrozenRule>>;
}

/** Returns the rules that some command tests. */
export function listRules(table: Readonly<Record<string, Rule>>): Requirements['rules'] {
  const tested = Object.entries(table).filter(([, { untestable, document }]) => untestable === undefined && document !== 'control');
  return Object.fromEntries(tested.map(([id, { level, text }]) => [id, { level, text }]));
}

export const listCurrentRules = (): Requirements['rules'] => listRules(rules);

const LEVELS: readonly Rule['level'][] = ['advice', 'implied', 'documented'];

/** Names the requirements in the results, and marks the rules that are not part of them. */
export function applyRequirements(results: Results, frozen?: Requirements): Results {
  const { name, rules: required } = frozen ?? { rules: listCurrentRules() };
  const findReason = ({ id, level, text, cells }: RuleResult): string | undefined => {
    const known = required[id];
    if (frozen === undefined) return undefined;
    if (known === undefined) return `newer than ${name}`;
    if (LEVELS.indexOf(level) > LEVELS.indexOf(known.level)) return `${known.level} in ${name}`;
    const notPassed = Object.values(cells).flatMap(({ checks }) => checks.filter(({ verdict }) => verdict !== 'passed'));
    const isNewer = ({ title, incidental }: Check) => !incidental && known.checks?.includes(getVariant(title, text)) === false;
    return notPassed.length > 0 && notPassed.every(isNewer) ? `only checks newer than ${name} did not pass` : undefined;
  };
  return {
    ...results,
    requirements: { ...(name !== undefined && { name }), digest: digestRules(required) },
    rules: results.rules.map((rule) => {
      const unscored = findReason(rule);
      return unscored === undefined ? rule : { ...rule, unscored };
    }),
  };
}

/** The digest does not depend on the order of the rules. */
function digestRules(frozen: Requirements['rules']): string {
  const entries = Object.entries(frozen).map(([id, { level, text, checks = [] }]) => JSON.stringify([id, level, text, ...checks]));
  return createHash('sha256').update(entries.sort().join('\n')).digest('hex');
}

export interface RequirementChange {
  readonly rule: string;
  readonly change: 'added' | 'removed' | 'level' | 'text' | 'checks';
  /** Absent if the rule was added. */
  readonly before?: string;
  /** Absent if the rule was removed. */
  readonly after?: string;
  readonly why?: string;
}

/** @param reasons the reasons for changes, by rule id */
export function diffRequirements(
  { rules: older }: Requirements,
  { rules: newer }: Requirements,
  reasons: Readonly<Record<string, string>>,
): RequirementChange[] {
  return [...new Set([...Object.keys(older), ...Object.keys(newer)])].sort().flatMap((rule): RequirementChange[] => {
    const [before, after] = [older[rule], newer[rule]];
    const why = reasons[rule] !== undefined && { why: reasons[rule] };
    if (before === undefined) return [{ rule, change: 'added', after: `${after!.level}: ${after!.text}`, ...why }];
    if (after === undefined) return [{ rule, change: 'removed', before: `${before.level}: ${before.text}`, ...why }];
    const changes = (['level', 'text'] as const).flatMap((change) =>
      before[change] === after[change] ? [] : [{ rule, change, before: before[change], after: after[change], ...why }],
    );
    const [removed, added] = [findNew(after, before), findNew(before, after)];
    const changed = removed.length + added.length > 0 && {
      ...(removed.length > 0 && { before: removed.join('; ') }),
      ...(added.length > 0 && { after: added.join('; ') }),
    };
    return [...changes, ...(changed ? [{ rule, change: 'checks' as const, ...changed, ...why }] : [])];
  });
}

/** @returns the checks that only the second set has. A set without checks says nothing about them. */
const findNew = (older: FrozenRule, newer: FrozenRule): string[] =>
  older.checks === undefined ? [] : (newer.checks ?? []).filter((check) => !older.checks!.includes(check));
