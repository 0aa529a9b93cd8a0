import type { EventType } from '../../../../src/contract/generated/events.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../../src/report/scope.ts';
import { type Cause, loseEvents } from '../by-hand/events-causes.ts';
import type { DerivedMutant } from '../mutant.ts';

// Mutants that omit a required event.

const CAUSES_BY_RULE_ENDING: readonly (readonly [ending: RegExp, cause: Cause])[] = [
  [/\.on-(create|update|delete)$/, 'api'],
  [/\.on-(portal|platform)-\w+$/, 'elsewhere'],
  [/\.on-account-deletion(-\S+)?$/, 'account'],
  [/\.on-(user|number)-deletion$/, 'target'],
];

export const publishingMutants: readonly DerivedMutant[] = rulesInScope.flatMap(({ id: rule }) => {
  const type = rules[rule].event as EventType | undefined;
  const [, cause] = CAUSES_BY_RULE_ENDING.find(([ending]) => ending.test(rule)) ?? [];
  if (type === undefined || (cause === undefined && !/\.of-\S+$/.test(rule))) return [];
  return {
    rule,
    description: `No ${type} is published.`,
    start: loseEvents(type, (known) => cause === undefined || known === cause),
  };
});
