import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, bodyOf, isSuccess, type Json, withEntities } from '../exchange.ts';
import { type Behind, misreading, remembering, type Saboteur, type SaboteursOf, type Service } from '../saboteur.ts';
import { inOtherAccounts, isOfFilters, selected, whereDone, withoutPrincipal } from './assignments-world.ts';
import { ofEachType } from './target-types.ts';

const LIST = 'getExperienceAssignments';
const ACCOUNT = ['accountId'] as const;
const AND_EXPERIENCE = ['accountId', 'experienceId'] as const;
const AND_TYPE = ['accountId', 'targetType'] as const;
const ALL_THREE = ['accountId', 'experienceId', 'targetType'] as const;
const TARGET = ['targetType', 'targetValue'] as const;
type Filters = readonly string[];
type Query = Readonly<Record<string, string>>;

const said = (filters: Filters) => filters.join(' and ');

/** A server that does not heed one of the filters where exactly these are given. */
const ignoring = (filters: Filters, ignored: string): Saboteur =>
  misreading(`Does not heed ${ignored} in ${said(filters)}.`, LIST, (request) =>
    isOfFilters(request, filters) ? asking(request, { query: { [ignored]: undefined } }) : undefined,
  );

/** A server that leaves assignments out where exactly these filters are given. */
const leavingOut = (filters: Filters, does: string, left: (assignment: Json, all: readonly Json[]) => boolean): Saboteur =>
  whereDone(LIST, does, (reply, request) =>
    isOfFilters(request, filters) ? withEntities(reply, (all) => all.filter((each) => !left(each, all))) : undefined,
  );

const findingNothing = (filters: Filters): Saboteur => leavingOut(filters, `Finds nothing by ${said(filters)}.`, () => true);

/** A server that lists others, too, after what is to be listed where exactly these filters are given. @param more finds them */
function adding(
  does: string,
  filters: Filters,
  more: (query: Query, find: (filter: Query) => Promise<Json[]>, own: Json[]) => Promise<Json[]>,
) {
  return remembering(does, () => async (request, service, behind) => {
    const reply = await service(request);
    if (!isOfFilters(request, filters) || !isSuccess(reply) || bodyOf(reply).cursor !== null) return reply;
    const find = finderOf(request, service, behind);
    const own = bodyOf(reply).entities as Json[];
    const found = await more(request.query, find, own);
    return withEntities(reply, () => [...own, ...found.filter(({ id }) => own.every((each) => each.id !== id))]);
  });
}

/** Finds assignments as the caller sees them: those of a target, or in all accounts but the one asked for. */
function finderOf(request: Parameters<Service>[0], service: Service, behind: Behind) {
  return (filter: Query) =>
    filter.targetValue === undefined ? inOtherAccounts(request, service, behind, filter) : selected(request, service, filter);
}

const inAnyAccount = (filters: Filters): Saboteur =>
  adding(`Does not heed accountId in ${said(filters)}.`, filters, ({ accountId: _, cursor: _cursor, pageSize: _size, ...rest }, find) =>
    find(rest),
  );

/** A server that shows whoever asks what is in any account. */
const toAnybody = (filters: Filters): Saboteur =>
  remembering(`Lists by ${said(filters)} whomever the token is of.`, () => async (request, service, behind) => {
    const reply = await service(request);
    return isOfFilters(request, filters) && isSuccess(reply) ? service(await withoutPrincipal(request, behind)) : reply;
  });

/** Servers that list other assignments than they should. */
export const assignmentsList = {
  'assignments.list.by-account': [
    inAnyAccount(ACCOUNT),
    findingNothing(ACCOUNT),
    ...ofEachType((type) =>
      leavingOut(ACCOUNT, `Leaves what is assigned to a ${type} out of the list of the account.`, ({ targetType }) => targetType === type),
    ),
    leavingOut(ACCOUNT, 'Lists one Experience only for an account.', ({ experienceId }, [first]) => experienceId !== first?.experienceId),
  ],
  'assignments.list.by-account-and-experience': [
    ignoring(AND_EXPERIENCE, 'experienceId'),
    inAnyAccount(AND_EXPERIENCE),
    findingNothing(AND_EXPERIENCE),
    ...ofEachType((type) =>
      leavingOut(AND_EXPERIENCE, `Leaves a ${type} out of the list by account and Experience.`, ({ targetType }) => targetType === type),
    ),
  ],
  'assignments.list.by-account-and-type': [
    ignoring(AND_TYPE, 'targetType'),
    inAnyAccount(AND_TYPE),
    ...ofEachType((type) => leavingOut(AND_TYPE, `Finds no ${type} by account and type.`, ({ targetType }) => targetType === type)),
    leavingOut(
      AND_TYPE,
      'Lists one Experience only by account and type.',
      ({ experienceId }, [first]) => experienceId !== first?.experienceId,
    ),
  ],
  'assignments.list.by-account-experience-and-type': [
    ignoring(ALL_THREE, 'experienceId'),
    ignoring(ALL_THREE, 'targetType'),
    inAnyAccount(ALL_THREE),
    ...ofEachType((type) =>
      leavingOut(ALL_THREE, `Finds no ${type} by account, Experience and type.`, ({ targetType }) => targetType === type),
    ),
  ],
  'assignments.list.by-target': [
    ...ofEachType((type) => leavingOut(TARGET, `Finds nothing by a ${type}.`, ({ targetType }) => targetType === type)),
    leavingOut(TARGET, 'Finds one Experience only by a target.', (assignment, [first]) => assignment !== first),
    adding('Lists what is assigned to any target of the type.', TARGET, ({ targetType }, find) => find({ targetType: `${targetType}` })),
    adding('Takes a targetValue for the beginning of one.', TARGET, async ({ targetType, targetValue = '' }, find) =>
      (await find({ targetType: `${targetType}` })).filter((each) => each.targetValue.startsWith(targetValue)),
    ),
    adding('Does not heed targetType beside targetValue.', TARGET, async ({ targetType, targetValue = '' }, find) =>
      targetType === 'PHONE_NUMBER' ? [] : find({ targetType: targetType === 'USER' ? 'ACCOUNT' : 'USER', targetValue }),
    ),
    adding('Lists by a target what is assigned to its account, too.', TARGET, async ({ targetType }, find, [own]) =>
      targetType === 'ACCOUNT' || own === undefined ? [] : find({ targetType: 'ACCOUNT', targetValue: own.accountId }),
    ),
  ],
  'assignments.list.only-visible': [ACCOUNT, AND_EXPERIENCE, AND_TYPE, ALL_THREE, TARGET].map(toAnybody) as [Saboteur, ...Saboteur[]],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
