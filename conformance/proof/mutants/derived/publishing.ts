import type { EventType } from '../../../../src/contract/generated/events.ts';
import { rules } from '../../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../../src/report/scope.ts';
import { type Cause, type Known, lose } from '../by-hand/events-causes.ts';
import type { Derived } from '../mutant.ts';

// An event that a rule promises is lost: always, for one kind of entity, or but for the first.

const CAUSES: readonly (readonly [ending: RegExp, cause: Cause])[] = [
  [/\.on-(create|update|delete)$/, 'api'],
  [/\.on-(portal|platform)-\w+$/, 'elsewhere'],
  [/\.on-account-deletion(-\S+)?$/, 'account'],
  [/\.on-(user|number)-deletion$/, 'target'],
];

const TARGETS: readonly (readonly [rule: RegExp, types: readonly string[]])[] = [
  [/(assignment\.deleted\.on-account-deletion|of-account)$/, ['ACCOUNT']],
  [/(on-user-deletion|of-user)$/, ['USER']],
  [/(on-number-deletion|of-phone-number)$/, ['PHONE_NUMBER']],
  [/on-account-deletion-of-its-targets$/, ['USER', 'PHONE_NUMBER']],
];

/** Rules whose checks look at one kind of entity only. */
const ONE_KIND = /-with-numbers$|assignment\.created\.on-create$/;

/** Rules whose checks cause several events of one account, target or Experience. */
const SEVERAL = /assignment\.created\.on-create$|\.on-(account|user|number)-deletion$|provisioning\.created\.on-/;

type Where = (known: Known) => boolean;

/** The kinds of entities of which a server may forget one. */
function kindsOf(rule: string, type: EventType): readonly (readonly [string, Where])[] {
  if (ONE_KIND.test(rule)) return [];
  if (/connection\.(created|deleted)$/.test(type))
    return ['ACTIVE', 'INACTIVE'].map((state) => [`that are ${state}`, ({ state: known }) => known === state]);
  const types = TARGETS.find(([ending]) => ending.test(rule))?.[1] ?? ['ACCOUNT', 'PHONE_NUMBER', 'USER'];
  return type.includes('assignment') ? types.map((target) => [`of type ${target}`, ({ data }) => data.targetType === target]) : [];
}

function ofRule(rule: string, type: EventType): Derived[] {
  const cause = CAUSES.find(([ending]) => ending.test(rule))?.[1];
  const kinds = kindsOf(rule, type);
  if (cause === undefined && !/\.of-\S+$/.test(rule)) return [];
  const isOwn: Where = (known) =>
    (cause === undefined || known.cause === cause) &&
    (!rule.endsWith('with-numbers') || known.hadNumbers) &&
    (!TARGETS.some(([ending]) => ending.test(rule)) || kinds.some(([, applies]) => applies(known)));
  const isFirst = ({ data, isFirst: first }: Known) => first(cause === 'api' ? data.experienceId : (data.targetValue ?? data.accountId));
  return [
    { rule, does: `No ${type} is published.`, start: lose(type, isOwn) },
    ...kinds.map(([kind, applies]) => ({
      rule,
      does: `No ${type} is published of those ${kind}.`,
      start: lose(type, (known) => isOwn(known) && applies(known)),
    })),
    ...(SEVERAL.test(rule)
      ? [{ rule, does: `Only the first ${type} is published.`, start: lose(type, (known) => isOwn(known) && !isFirst(known)) }]
      : []),
  ];
}

/** The mutants of every rule that an event is published. */
export const publishingMutants: readonly Derived[] = rulesInScope.flatMap(({ id }) => {
  const type = rules[id].event as EventType | undefined;
  return type === undefined ? [] : ofRule(id, type);
});
