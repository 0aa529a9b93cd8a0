import { type TestInfo, test } from '@playwright/test';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { BROKEN_RULE_ATTACHMENT, type BrokenRule } from './broken-rule.ts';
import { endAsNotTestable } from './not-testable.ts';

export function extendTimeout(ms: number): void {
  const check = findRunningCheck();
  check?.setTimeout(check.timeout + ms);
}

/** Marks the running check as bounded in reports: if the check passes, this only means that nothing arrived within a limited time. */
export function markCheckAsBounded(): void {
  const { annotations } = test.info();
  if (!annotations.some(({ type }) => type === 'bounded')) annotations.push({ type: 'bounded' });
}

export function testsRule(rule: RuleId): boolean {
  return test.info().annotations.some(({ type, description }) => type === 'rule' && description === rule);
}

/**
 * Ends the check because the target breaks `rule`. A check of another rule reports the broken rule and ends as not testable.
 * @param what a clause such as "the event was not delivered"
 * @throws `error` if the check tests `rule`
 */
export async function endWithBrokenRule(rule: RuleId, error: Error, what: string): Promise<never> {
  if (testsRule(rule)) throw error;
  const { title } = test.info();
  const report: BrokenRule = { rule, where: 'other checks', message: `${error.message}\nReported by the check: ${title}` };
  await test.info().attach(BROKEN_RULE_ATTACHMENT, { body: JSON.stringify(report), contentType: 'application/json' });
  return endAsNotTestable(`${what}, which breaks the rule ${rule}`);
}

/** @returns undefined outside a check, such as during a worker's final cleanup */
function findRunningCheck(): TestInfo | undefined {
  try {
    return test.info();
  } catch {
    return undefined;
  }
}
