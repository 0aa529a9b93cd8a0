import { formatPlural } from '../../contract/format-plural.ts';
import type { Results } from '../../contract/generated/results.ts';
import type { RuleOutcome } from '../outcome.ts';
import { type CheckRun, toResults } from '../results.ts';
import { computeCoverage } from './coverage.ts';
import type { RecordedCalls } from './journal.ts';
import { describeRefusals, judgeCalls } from './judge.ts';
import type { Facts } from './judgement.ts';

export interface ClientRun extends RecordedCalls, Pick<CheckRun, 'url' | 'name' | 'startedAt' | 'interrupted' | 'incomplete' | 'rules'> {
  readonly options: Pick<Facts, 'wholeLists' | 'oneSession' | 'provoked' | 'canProvoke'>;
}

export function createClientResults({ calls, facts, options, ...run }: ClientRun): Results {
  const { missed } = facts;
  const isSelected = ({ rule }: RuleOutcome) => run.rules === undefined || run.rules.includes(rule);
  const lost = `the journal deleted ${formatPlural(missed, 'call')} before ${missed === 1 ? 'it' : 'they'} could be checked`;
  return toResults({
    ...run,
    check: 'client',
    outcomes: judgeCalls(calls, { ...facts, ...options }).filter(isSelected),
    durationMs: Date.now() - run.startedAt.getTime(),
    incomplete: missed === 0 ? run.incomplete : lost,
    notes: describeRefusals(calls),
    coverage: computeCoverage(calls, options.canProvoke),
  });
}
