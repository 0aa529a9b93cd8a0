import { matchesGlob } from 'node:path';
import type { DecisionId } from '../../src/contract/generated/decisions.ts';
import { decisions } from '../../src/contract/generated/decisions-table.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { rulesInScope } from '../../src/report/scope.ts';

/** Absent: all. */
export interface Selection {
  readonly rules?: readonly RuleId[];
  readonly decisions?: readonly DecisionId[];
}

const RULE_IDS = rulesInScope.map(({ id }) => id);
const DECISION_IDS = Object.keys(decisions) as DecisionId[];

/** @returns the selection, or the first pattern that matches no id */
export function parseSelection(patterns: readonly string[]): Selection | string {
  if (patterns.length === 0) return {};
  const unknown = patterns.find((pattern) => ![...RULE_IDS, ...DECISION_IDS].some((id) => matchesGlob(id, pattern)));
  if (unknown !== undefined) return unknown;
  const isSelected = (id: string) => patterns.some((pattern) => matchesGlob(id, pattern));
  return { rules: RULE_IDS.filter(isSelected), decisions: DECISION_IDS.filter(isSelected) };
}
