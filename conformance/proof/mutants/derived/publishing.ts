import type { EventType } from '../../../../src/contract/generated/events.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../../src/report/scope.ts';
import { type Cause, type KnownChange, loseEvents } from '../by-hand/events-causes.ts';
import type { DerivedMutant } from '../mutant.ts';
import { TARGET_TYPES } from './schema.ts';

// Mutants that omit a required event: always, for one target type, or after the first time.

const CAUSES_BY_RULE_ENDING: readonly (readonly [ending: RegExp, cause: Cause])[] = [
  [/\.on-(create|update|delete)$/, 'api'],
  [/\.on-(portal|platform)-\w+$/, 'elsewhere'],
  [/\.on-account-deletion(-\S+)?$/, 'account'],
  [/\.on-(user|number)-deletion$/, 'target'],
];

/** Assignment target types, by rule. For each type, a mutant omits the rule's event about targets of this type. */
const TARGETS: readonly (readonly [rule: RegExp, types: readonly string[]])[] = [
  [/assignment\.\w+\.on-(delete|portal-\w+|platform-\w+)$/, TARGET_TYPES],
  [/\.on-account-deletion-of-its-targets$/, ['USER', 'PHONE_NUMBER']],
];

/** Rules whose checks cause several events for the same account, target or Experience. */
const RULES_WITH_SEVERAL_CHANGES = /assignment\.created\.on-create$|\.on-(account|user|number)-deletion$|provisioning\.created\.on-/;

/** The rule whose check waits for all expected events. */
const ENVELOPE_TYPE_RULE = 'events.envelope.type';
/** Rules that the check of ENVELOPE_TYPE_RULE reports as broken if the event that they require is missing. */
const RULES_REPORTED_BY_ENVELOPE_TYPE =
  /(connection|assignment)\.\w+\.on-(create|update|delete|portal-\w+|account-deletion|user-deletion)$|provisioning\.\w+\.on-platform-\w+$/;

function createRuleMutants(rule: string, type: EventType): DerivedMutant[] {
  const [, cause] = CAUSES_BY_RULE_ENDING.find(([ending]) => ending.test(rule)) ?? [];
  if (cause === undefined && !/\.of-\S+$/.test(rule)) return [];
  const [, targets = []] = TARGETS.find(([ending]) => ending.test(rule)) ?? [];
  const hasExpectedCause = (change: KnownChange) => cause === undefined || change.cause === cause;
  const isFirstEvent = ({ data, isFirst: first }: KnownChange) =>
    first(cause === 'api' ? data.experienceId : (data.targetValue ?? data.accountId));
  return [
    { rule, description: `No ${type} is published.`, start: loseEvents(type, hasExpectedCause) },
    ...(RULES_REPORTED_BY_ENVELOPE_TYPE.test(rule)
      ? [
          {
            rule,
            description: `No ${type} is published. The check of ${ENVELOPE_TYPE_RULE} detects this.`,
            shownBy: ENVELOPE_TYPE_RULE,
            start: loseEvents(type, hasExpectedCause),
          },
        ]
      : []),
    ...targets.map((target) => ({
      rule,
      description: `No ${type} is published for targets of type ${target}.`,
      start: loseEvents(type, (known) => hasExpectedCause(known) && known.data.targetType === target),
    })),
    ...(RULES_WITH_SEVERAL_CHANGES.test(rule)
      ? [
          {
            rule,
            description: `Only the first ${type} is published.`,
            start: loseEvents(type, (known) => hasExpectedCause(known) && !isFirstEvent(known)),
          },
        ]
      : []),
  ];
}

export const publishingMutants: readonly DerivedMutant[] = rulesInScope.flatMap(({ id }) => {
  const type = rules[id].event as EventType | undefined;
  return type === undefined ? [] : createRuleMutants(id, type);
});
