import { createHash } from 'node:crypto';
import type { Results, RuleResult } from '../contract/generated/results.ts';
import type { Rule } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';

type FrozenRule = Pick<Rule, 'level' | 'text'>;

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
  const findReason = ({ id, level }: RuleResult): string | undefined => {
    const known = required[id];
    if (frozen === undefined) return undefined;
    if (known === undefined) return `newer than ${name}`;
    return LEVELS.indexOf(level) > LEVELS.indexOf(known.level) ? `${known.level} in ${name}` : undefined;
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
  const entries = Object.entries(frozen).map(([id, { level, text }]) => JSON.stringify([id, level, text]));
  return createHash('sha256').update(entries.sort().join('\n')).digest('hex');
}

export interface RequirementChange {
  readonly rule: string;
  readonly change: 'added' | 'removed' | 'level' | 'text';
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
    return (['level', 'text'] as const).flatMap((change) =>
      before[change] === after[change] ? [] : [{ rule, change, before: before[change], after: after[change], ...why }],
    );
  });
}
