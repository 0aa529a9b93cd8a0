// What a response must be, if nobody else has changed what is known.

import type { RuleId } from '../../../contract/generated/rules.ts';
import { FOUND_RULES, MEMBER_RULES, SUCCESS_RULES } from '../../../expect/rule-names.ts';
import { type Exchange, getEntities, getJson, type Json, normalize, succeeds } from '../exchange.ts';
import { isList } from '../lists.ts';
import { ACCESS_MS, MAX_LAG_MS } from '../resources.ts';
import { findChangedFixed, getKind, type Kind, readIds } from './entities.ts';
import { callerOf, getEnd, getStart, type Known, type Listing, type Memory } from './memory.ts';

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
export const MISSING: readonly number[] = [404, 410];

export function listExpectations(each: Exchange, memory: Memory): Expectation[] {
  const known = memory.get(getKind(each), each.id);
  const isUsable = known !== undefined && !known.isDoubtful && known.callers.has(callerOf(each));
  return EXPECTATIONS[each.operation]?.(each, memory, isUsable ? known : undefined) ?? [];
}

type List = (each: Exchange, memory: Memory, known: Known | undefined) => Expectation[];
type Because = readonly [rule: RuleId, text: string, premise: Pick<Expectation, 'premise' | 'absent'>];

/** Other statuses than these refusals show nothing. */
const expect = (
  each: Exchange,
  outcome: 'accepted' | 'refused',
  refusals: readonly number[],
  [rule, text, premise]: Because,
): Expectation[] =>
  succeeds(each) || refusals.includes(each.answer.status)
    ? [{ rule, text, agrees: succeeds(each) === (outcome === 'accepted'), ...premise }]
    : [];

const expectFound: List = (each, _, known) => {
  if (!known) return [];
  const changed = succeeds(each) ? findChangedFixed(known.kind, known.members, getJson(each)) : [];
  const text = `the ${known.kind} ${known.id}, which exists, is shown`;
  return [
    ...expect(each, 'accepted', MISSING, [FOUND_RULES[each.operation]!, text, { premise: { known } }]),
    ...changed.map((name) => expectFixed(each, known, name)),
  ];
};

/** Expects a success, because a complete list does not contain what would prevent it. The list of a caller without access is empty. */
function expectSuccess(each: Exchange, memory: Memory, rule: RuleId, text: string, kind: Kind, members: Json): Expectation[] {
  const account = memory.accountOf(each) ?? '';
  const listing = memory.findListing(kind, members, callerOf(each), account);
  if (listing === undefined || memory.isShared(account)) return [];
  if (!succeeds(each) && !memory.hadAccess(each, { accountId: account }, ACCESS_MS)) return [];
  return expect(each, 'accepted', DUPLICATE, [rule, text, { absent: { kind, members, listing, account } }]);
}

const EXPECTATIONS: Readonly<Partial<Record<Exchange['operation'], List>>> = {
  getUser: expectFound,
  getExperienceConnection: expectFound,
  getExperienceAssignment: expectFound,
  deleteExperienceAssignment(each, _, known) {
    if (!known) return [];
    const text = `the assignment ${known.id}, which exists, is deleted`;
    return expect(each, 'accepted', MISSING, ['assignments.delete.no-body', text, { premise: { known } }]);
  },
  updateExperienceConnection(each, _, known) {
    const { state } = readIds(each);
    if (known?.members.state === undefined || state === undefined) return [];
    const premise = { known, isUnchanged: true };
    if (known.members.state === state) {
      const text = `the update gets 409, because the connection is already ${state}`;
      return expect(each, 'refused', [409], ['connections.update.same-state', text, { premise }]);
    }
    const rule = state === 'ACTIVE' ? 'connections.update.activates' : 'connections.update.deactivates';
    return expect(each, 'accepted', [409], [rule, `the update succeeds, because the connection is ${known.members.state}`, { premise }]);
  },
  deleteExperienceConnection(each, memory, known) {
    if (!known) return [];
    const { accountId, experienceId } = known.members;
    const members = { accountId, experienceId, targetType: 'PHONE_NUMBER' };
    const [number] = memory.find('assignment', members).toSorted((first, second) => getEnd(second.exchange) - getEnd(first.exchange));
    // Numbers of other accounts may prevent the deletion, too, so a refusal without a known number shows nothing.
    if (!number) return [];
    const text = `the deletion gets 409, because the number ${number.members.targetValue} is assigned (${number.id})`;
    return expect(each, 'refused', [409], ['connections.delete.numbers-assigned', text, { premise: { known: number } }]);
  },
  createExperienceConnection(each, memory) {
    const { accountId, experienceId } = readIds(each);
    if (accountId === undefined || experienceId === undefined) return [];
    const members = { accountId, experienceId };
    const [existing] = memory.find('connection', members);
    if (existing) {
      const text = `the request gets 409, because the connection ${existing.id} exists`;
      return expect(each, 'refused', [409], ['connections.create.exists', text, { premise: { known: existing } }]);
    }
    if (each.answer.status === 422 && !memory.hasSucceeded(each)) return [];
    const text = 'the connection is created, because there is none';
    return expectSuccess(each, memory, 'connections.create.success', text, 'connection', members);
  },
  createExperienceAssignment(each, memory) {
    const { experienceId, targetType, targetValue } = readIds(each);
    if (experienceId === undefined || targetType === undefined || targetValue === undefined) return [];
    const [existing] = memory.find('assignment', { experienceId, targetType, targetValue });
    if (existing) {
      const text = `the request gets 409 or 422, because the assignment ${existing.id} exists`;
      return expect(each, 'refused', DUPLICATE, ['assignments.create.duplicate-refused', text, { premise: { known: existing } }]);
    }
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
    const text = 'the assignment is created again, because there is none';
    return expectSuccess(each, memory, 'assignments.create.again', text, 'assignment', members);
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
    const other = key !== undefined && keys.get(key);
    if (key !== undefined) keys.set(key, entity);
    const fixed = changed.map((name) => expectFixed(each, known!, name));
    if (!other || other.id === entity.id) return fixed;
    const { rule, names } = UNIQUE[kind as 'connection'];
    const text = `only one of the ${kind}s ${other.id} and ${entity.id} exists, because both have the same ${names.join(', ')}`;
    return [...fixed, { rule, text, agrees: false }];
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
