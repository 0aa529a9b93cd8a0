import type { RuleResult, Verdict } from '../contract/generated/results.ts';

export const VERDICT_MARKS: Readonly<Record<Verdict, string>> = {
  passed: '✓',
  failed: '✗',
  flaky: '≠',
  error: '!',
  'partly-tested': '◐',
  'not-testable': '?',
  'not-exercised': '○',
  'not-applicable': '–',
};

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  flaky: 'flaky',
  error: 'error',
  'partly-tested': 'partly tested',
  'not-testable': 'not testable',
  'not-exercised': 'not exercised',
  'not-applicable': 'not applicable',
};

export const VERDICTS = Object.keys(VERDICT_WORDS) as readonly Verdict[];

export function getVerdictWord(verdict: Verdict, level: RuleResult['level']): string {
  if (level !== 'advice') return VERDICT_WORDS[verdict];
  return verdict === 'passed' ? 'followed' : verdict === 'failed' ? 'not followed' : VERDICT_WORDS[verdict];
}
