import type { Schemas } from '../../kit/control.ts';
import type { Tone } from '../../ui/badge.tsx';

type Verdict = Schemas['Verdict'];

/** Each verdict with its colour and its word, the most important first. The compiler reports a missing one. */
const WORDS: Readonly<Record<Verdict, readonly [Tone, string]>> = {
  failed: ['bad', 'failed'],
  error: ['bad', 'error'],
  'partly-tested': ['warn', 'partly tested'],
  passed: ['good', 'passed'],
  'not-testable': ['plain', 'not testable'],
  'not-exercised': ['plain', 'not exercised'],
  'not-applicable': ['plain', 'not applicable'],
};

export const VERDICTS = (Object.keys(WORDS) as Verdict[]).map((verdict) => [verdict, ...WORDS[verdict]] as const);
