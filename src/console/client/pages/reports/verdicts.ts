import type { Schemas } from '../../kit/control.ts';
import type { Tone } from '../../ui/badge.tsx';

type Verdict = Schemas['Verdict'];

/** The most important verdict is first. */
const VERDICT_WORDS: Readonly<Record<Verdict, readonly [Tone, string]>> = {
  failed: ['bad', 'failed'],
  error: ['bad', 'error'],
  'partly-tested': ['warn', 'partly tested'],
  passed: ['good', 'passed'],
  'not-testable': ['plain', 'not testable'],
  'not-exercised': ['plain', 'not exercised'],
  'not-applicable': ['plain', 'not applicable'],
};

export const VERDICTS = (Object.keys(VERDICT_WORDS) as Verdict[]).map((verdict) => [verdict, ...VERDICT_WORDS[verdict]] as const);
