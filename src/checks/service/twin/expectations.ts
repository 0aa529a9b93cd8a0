// What a response must be, if nobody else has changed what is known.

import type { RuleId } from '../../../contract/generated/rules.ts';
import { FOUND_RULES, MEMBER_RULES, SUCCESS_RULES } from '../../../expect/rule-names.ts';
import { type Exchange, getEntities, getJson, type Json, normalize, succeeds } from '../exchange.ts';
import { findChangedFixed, getKind, isList, type Kind, readIds } from './entities.ts';
import { callerOf, getEnd, getStart, type Known, type Listing, MAX_LAG_MS, type Memory } from './memory.ts';

export interface Expectation {
  readonly rule: RuleId;
  /** The clause after "Expected that". */
  readonly text: string;
  readonly agrees: boolean;
  /** The entity on which the expectation depends, and whether also its changes matter. Absent: no change explains a different response. */
  readonly premise?: { readonly known: Known; readonly isUnchanged?: boolean };
  /** The expectation depends on there being no entity with these members. */
  readonly absent?: { readonly kind: Kind; readonly members: Json; readonly listing: Listing; readonly account: string };
}

const DUPLICATE = [409, 422];
const MISSING = [404, 410];

export function listExpectations(each: Exchange, memory: Memory): Expectation[] {
  const known = memory.get(getKind(each), each.id);
  const isUsable = known !== undefined && !known.isDoubtful && known.callers.has(callerOf(each));
  return EXPECTATIONS[each.operation]?.(each, memory, isUsable ? known : undefined) ?? [];
}

type List = (each: Exchange, memory: Memory, known: Known | undefined) => Expectation[];

const expectFound: List = (each, _, known) => {
  const { operation, answer } = each;
  if (!known || !(succeeds(each) || MISSING.includes(answer.status))) return [];
  const changed = succeeds(each) ? findChangedFixed(known.kind, known.members, getJson(each)) : [];
  return [
    {
      rule: FOUND_RULES[operation]!,
      text: `the ${known.kind} ${known.id}, which exists, is shown`,
      agrees: succeeds(each),
      premise: { known },
    },
    ...changed.map((name) => expectFixed(each, known, name)),
  ];
};

/** Expects a refusal because of an entity that exists. */
const expectRefusal = (
  each: Exchange,
  rule: RuleId,
  statuses: readonly number[],
  text: string,
  premise: Expectation['premise'] & {},
): Expectation[] => (succeeds(each) || statuses.includes(each.answer.status) ? [{ rule, text, agrees: !succeeds(each), premise }] : []);

/** Expects a success, because a complete list does not contain what would prevent it. */
function expectSuccess(each: Exchange, memory: Memory, rule: RuleId, text: string, kind: Kind, members: Json): Expectation[] {
  const account = memory.accountOf(each) ?? '';
  const listing = memory.findListing(kind, members, callerOf(each), account);
  if (listing === undefined || memory.isShared(account) || !(succeeds(each) || DUPLICATE.includes(each.answer.status))) return [];
  return [{ rule, text, agrees: succeeds(each), absent: { kind, members, listing, account } }];
}

const EXPECTATIONS: Readonly<Partial<Record<Exchange['operation'], List>>> = {
  getUser: expectFound,
  getExperienceConnection: expectFound,
  getExperienceAssignment: expectFound,
  deleteExperienceAssignment: (each, _, known) =>
    known && (succeeds(each) || MISSING.includes(each.answer.status))
      ? [
          {
            rule: 'assignments.delete.no-body',
            text: `the assignment ${known.id}, which exists, is deleted`,
            agrees: succeeds(each),
            premise: { known },
          },
        ]
      : [],
  updateExperienceConnection: (each, _, known) => {
    const { state } = readIds(each);
    if (known?.members.state === undefined || state === undefined) return [];
    const premise = { known, isUnchanged: true };
    if (known.members.state === state)
      return expectRefusal(
        each,
        'connections.update.same-state',
        [409],
        `the update gets 409, because the connection is already ${state}`,
        premise,
      );
    if (!succeeds(each) && each.answer.status !== 409) return [];
    const rule = state === 'ACTIVE' ? 'connections.update.activates' : 'connections.update.deactivates';
    return [{ rule, text: `the update succeeds, because the connection is ${known.members.state}`, agrees: succeeds(each), premise }];
  },
  deleteExperienceConnection: (each, memory, known) => {
    if (!known) return [];
    const { accountId, experienceId } = known.members;
    const members = { accountId, experienceId, targetType: 'PHONE_NUMBER' };
    const [number] = memory.find('assignment', members).toSorted((first, second) => getEnd(second.exchange) - getEnd(first.exchange));
    if (number)
      return expectRefusal(
        each,
        'connections.delete.numbers-assigned',
        [409],
        `the deletion gets 409, because the number ${number.members.targetValue} is assigned (${number.id})`,
        { known: number },
      );
    return expectSuccess(
      each,
      memory,
      'connections.delete.deleted',
      'the deletion succeeds, because no number is assigned',
      'assignment',
      members,
    );
  },
  createExperienceConnection: (each, memory) => {
    const { accountId, experienceId } = readIds(each);
    if (accountId === undefined || experienceId === undefined) return [];
    const [existing] = memory.find('connection', { accountId, experienceId });
    if (existing)
      return expectRefusal(each, 'connections.create.exists', [409], `the request gets 409, because the connection ${existing.id} exists`, {
        known: existing,
      });
    if (each.answer.status === 422 && !memory.hasSucceeded(each)) return [];
    return expectSuccess(each, memory, 'connections.create.success', 'the connection is created, because there is none', 'connection', {
      accountId,
      experienceId,
    });
  },
  createExperienceAssignment: (each, memory) => {
    const { experienceId, targetType, targetValue } = readIds(each);
    if (experienceId === undefined || targetType === undefined || targetValue === undefined) return [];
    const [existing] = memory.find('assignment', { experienceId, targetType, targetValue });
    if (existing)
      return expectRefusal(
        each,
        'assignments.create.duplicate-refused',
        DUPLICATE,
        `the request gets 409 or 422, because the assignment ${existing.id} exists`,
        { known: existing },
      );
    const owner = targetType === 'USER' ? memory.get('user', targetValue)?.members.accountId : undefined;
    const { accountId } = getJson(each);
    if (succeeds(each) && owner !== undefined && accountId !== undefined && normalize(owner) !== normalize(accountId))
      return [
        { rule: 'assignments.create.account-of-target', text: `accountId is ${String(owner)}, the account of the user`, agrees: false },
      ];
    // Without an earlier success of the same caller, the request may be invalid, or the caller may lack permission.
    if (!memory.hasSucceeded(each)) return [];
    // Of a number that another Experience has, both Experiences may be of type AGENT.
    const members = { ...(targetType !== 'PHONE_NUMBER' && { experienceId }), targetType, targetValue };
    return expectSuccess(
      each,
      memory,
      'assignments.create.again',
      'the assignment is created again, because there is none',
      'assignment',
      members,
    );
  },
};

/** What each item of a page must be, and that no two items are the same twice. */
export function listExpectationsOfItems(each: Exchange, memory: Memory): Expectation[] {
  const kind = getKind(each);
  if (kind === undefined || !isList(each)) return [];
  const keys = new Map<string, Json>();
  return getEntities(each).flatMap((entity): Expectation[] => {
    const known = memory.get(kind, entity.id);
    const changed = known ? findChangedFixed(kind, known.members, entity) : [];
    const key = toUniqueKey(kind, entity);
    const twice = key !== undefined && keys.get(key);
    if (key !== undefined) keys.set(key, entity);
    return [
      ...changed.map((name) => expectFixed(each, known!, name)),
      ...(twice && twice.id !== entity.id
        ? [
            {
              rule: UNIQUE[kind as 'connection'].rule,
              text: `only one of the ${kind}s ${twice.id} and ${entity.id} exists, because both have the same ${UNIQUE[kind as 'connection'].names.join(', ')}`,
              agrees: false,
            },
          ]
        : []),
    ];
  });
}

const UNIQUE = {
  connection: { names: ['accountId', 'experienceId'], rule: 'connections.create.exists' },
  assignment: { names: ['experienceId', 'targetType', 'targetValue'], rule: 'assignments.create.duplicate-refused' },
} as const;

function toUniqueKey(kind: Kind, entity: Json): string | undefined {
  if (kind === 'user') return undefined;
  const values = UNIQUE[kind].names.map((name) => normalize(entity[name]));
  return values.includes('') ? undefined : values.join(' ');
}

const expectFixed = ({ operation }: Exchange, { kind, id, members }: Known, name: string): Expectation => ({
  rule: MEMBER_RULES[operation]?.[name] ?? FOUND_RULES[operation] ?? SUCCESS_RULES[operation],
  text: `${name} of the ${kind} ${id} is ${JSON.stringify(members[name])}, as before`,
  agrees: false,
});

/** Expects that a list contains everything that is known to belong into it. */
export function listMissing({ kind, filters, entities, pages }: Listing, memory: Memory, rule: RuleId): Expectation[] {
  const [first] = pages as [Exchange];
  return memory.find(kind, filters).flatMap((known): Expectation[] => {
    if (entities.has(known.id)) return [];
    if (!known.callers.has(callerOf(first)) || getStart(first) - known.since < MAX_LAG_MS) return [];
    return [{ rule, text: `the list contains the ${kind} ${known.id}`, agrees: false, premise: { known } }];
  });
}
