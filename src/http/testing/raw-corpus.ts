import { bodyCases } from './raw-bodies.ts';
import type { RawCase, RawTarget } from './raw-case.ts';
import { headCases } from './raw-heads.ts';
import { sequenceCases } from './raw-sequences.ts';
import { targetCases } from './raw-targets.ts';

/** Every odd thing a raw socket can send. The cases are independent of one another: a connection each. */
export function rawCorpus(target: RawTarget): readonly RawCase[] {
  return [...headCases(target), ...bodyCases(target), ...targetCases(target), ...sequenceCases(target)];
}
