import { test } from '@playwright/test';
import type { DecisionId } from '../../src/contract/generated/decisions.ts';

/** Tells how the target was seen to decide what the specification leaves open. No target fails for it. Only inside a check. */
export function observed(decision: DecisionId, value: string | number | boolean): void {
  test.info().annotations.push({ type: 'observed', description: JSON.stringify({ decision, value }) });
}
