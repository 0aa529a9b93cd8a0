import type { RuleId } from '../../src/contract/generated/rules.ts';

/** Says which rule a test checks: reports, saboteurs and `--rule` go by it. */
export function rule(id: RuleId): { annotation: { type: 'rule'; description: RuleId } } {
  return { annotation: { type: 'rule', description: id } };
}
