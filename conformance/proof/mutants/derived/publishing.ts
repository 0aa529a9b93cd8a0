import type { EventType } from '../../../../src/contract/generated/events.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../../src/report/scope.ts';
import { type Cause, type KnownChange, loseEvents } from '../by-hand/events-causes.ts';
import type { DerivedMutant } from '../mutant.ts';
import { TARGET_TYPES } from './schema.ts';

// Mutants that omit a required event: always, for one target type, or after the first time.

const CHANGE_PLACES: readonly (readonly [ending: RegExp, cause: Cause])[] = [
  [/\.on-(create|update|delete)$/, 'api'],
  [/\.on-(portal|platform)-\w+$/, 'elsewhere'],
  [/\.on-account-deletion(-\S+)?$/, 'account'],
  [/\.on-(user|number)-deletion$/, 'target'],
];

/** Maps rules to assignment target types. For each of these types, a mutant omits the event. */
const TARGETS: readonly (readonly [rule: RegExp, types: readonly string[]])[] = [
  [/assignment\.\w+\.on-(delete|portal-\w+|platform-\w+)$/, TARGET_TYPES],
  [/\.on-account-deletion-of-its-targets$/, ['USER', 'PHONE_NUMBER']],
];

/** Rules whose checks cause several events for the same account, target or Experience. */
const RULES_WITH_SEVERAL_CHANGES = /assignment\.created\.on-create$|\.on-(account|user|number)-deletion$|provisioning\.created\.on-/;

/** The rule whose check waits for all expected events. */
const WAITING_RULE = 'events.envelope.type';
const REPORTED_BY_WAITING_RULE =
  /(connection|assignment)\.\w+\.on-(create|update|delete|portal-\w+|account-deletion|user-deletion)$|provisioning\.\w+\.on-platform-\w+$/;

function createRuleMutants(rule: string, type: EventType): DerivedMutant[] {
  const [, cause] = CHANGE_PLACES.find(([ending]) => ending.test(rule)) ?? [];
  if (cause === undefined && !/\.of-\S+$/.test(rule)) return [];
  const [, targets = []] = TARGETS.find(([ending]) => ending.test(rule)) ?? [];
  const isOwnChange = (known: KnownChange) => cause === undefined || known.cause === cause;
  const isFirstEvent = ({ data, isFirst: first }: KnownChange) =>
    first(cause === 'api' ? data.experienceId : (data.targetValue ?? data.accountId));
  return [
    { rule, does: `No ${type} is published.`, start: loseEvents(type, isOwnChange) },
    ...(REPORTED_BY_WAITING_RULE.test(rule)
      ? [
          {
            rule,
            does: `No ${type} is published. The check of ${WAITING_RULE} detects this.`,
            shownBy: WAITING_RULE,
            start: loseEvents(type, isOwnChange),
          },
        ]
      : []),
    ...targets.map((target) => ({
      rule,
      does: `No ${type} is published for targets of type ${target}.`,
      start: loseEvents(type, (known) => isOwnChange(known) && known.data.targetType === target),
    })),
    ...(RULES_WITH_SEVERAL_CHANGES.test(rule)
      ? [
          {
            rule,
            does: `Only the first ${type} is published.`,
            start: loseEvents(type, (known) => isOwnChange(known) && !isFirstEvent(known)),
          },
        ]
      : []),
  ];
}

export const publishingMutants: readonly DerivedMutant[] = rulesInScope.flatMap(({ id }) => {
  const type = rules[id].event as EventType | undefined;
  return type === undefined ? [] : createRuleMutants(id, type);
});
