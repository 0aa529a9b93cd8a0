import type { components } from '../../contract/generated/control.ts';
import type { Check, RuleResult } from '../../contract/generated/results.ts';
import { resultsOf } from '../results.ts';
import type { Call } from './call.ts';
import { coverageOf } from './coverage.ts';
import { judge } from './judge.ts';

type Schemas = components['schemas'];

/**
 * Judges the calls that a kit has recorded so far. Calls that have left the journal are unknown, which is no reason against the others:
 * the result says from which call on it is.
 * @param calls the oldest first
 */
export function judgeSoFar(calls: readonly Call[], wholeLists: boolean): Schemas['Findings'] {
  const [first] = calls;
  const outcomes = judge(calls, { missed: 0, complete: first === undefined || first.number === 1, wholeLists });
  const { rules } = resultsOf({ check: 'client', url: '', outcomes, startedAt: new Date(), durationMs: 0 });
  return {
    calls: calls.length,
    ...(first && { first: first.number }),
    rules: rules.map(toRule),
    coverage: coverageOf(calls).map(({ documented = true, next, ...answer }) => ({
      ...answer,
      ...(next && { next: [...next] }),
      documented,
    })),
  };
}

function toRule({ id, text, level, section, verdict, cells }: RuleResult): Schemas['JudgedRule'] {
  return { id, text, level, section, verdict, outcomes: (cells.integration?.checks ?? []).map(toOutcome) };
}

function toOutcome({ title, verdict, failure, reason, timeline = [] }: Check): Schemas['JudgedRule']['outcomes'][number] {
  const text = failure?.message ?? reason;
  return {
    title,
    verdict,
    ...(text !== undefined && { text }),
    calls: timeline.map(({ at, text: line, traceId, violation = false }) => ({
      at,
      text: line,
      ...(traceId !== undefined && { traceId }),
      breaks: violation,
    })),
  };
}
