import { longerPages } from '../derived/pages.ts';
import {
  bodyOf,
  isSuccess,
  type Json,
  problem,
  type Reply,
  type Request,
  success,
  withEntities,
  withMembers,
  withParameters,
} from '../exchange.ts';
import { type ByHand, changeRequest, type Start } from '../mutant.ts';
import { ASSIGNMENTS, assignmentAt, hasFilters } from './assignments-world.ts';
import { changeRefusal, changeSuccess, entitiesOf, forEachType, list, listInOtherAccounts, withAllScopes } from './world.ts';

const LIST = 'getExperienceAssignments';
const GET = 'getExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';

const ACCOUNT = ['accountId'];
const AND_EXPERIENCE = ['accountId', 'experienceId'];
const AND_TYPE = ['accountId', 'targetType'];
const ALL_THREE = ['accountId', 'experienceId', 'targetType'];
const TARGET = ['targetType', 'targetValue'];

/** Leaves assignments out of a list with exactly these filters. */
const leaveOut = (filters: readonly string[], isLeftOut: (assignment: Json, all: readonly Json[]) => boolean): Start =>
  changeSuccess(LIST, (reply, request) =>
    hasFilters(request, filters) ? withEntities(reply, (all) => all.filter((each) => !isLeftOut(each, all))) : undefined,
  );
const leaveOutType =
  (filters: readonly string[]) =>
  (type: string): Start =>
    leaveOut(filters, ({ targetType }) => targetType === type);
const oneExperience = (filters: readonly string[]): Start =>
  leaveOut(filters, ({ experienceId }, [first]) => experienceId !== first?.experienceId);

/** Ignores one of exactly these filters. */
const ignore = (filters: readonly string[], ignored: string): Start =>
  changeRequest(LIST, (request) =>
    hasFilters(request, filters) ? withParameters(request, { query: { [ignored]: undefined } }) : undefined,
  );

type Find = (query: Request['query']) => Promise<Json[]>;

/** Lists more than exactly these filters select. */
const add = (
  filters: readonly string[],
  more: (query: Request['query'], find: Find, own: readonly Json[]) => Promise<readonly Json[]>,
): Start =>
  changeSuccess(LIST, async (reply, request, service, kit) => {
    if (!hasFilters(request, filters) || bodyOf(reply).cursor !== null) return undefined;
    const find: Find = (query) =>
      query.targetValue === undefined
        ? listInOtherAccounts(ASSIGNMENTS, query, request.query.accountId, request, service, kit)
        : list(ASSIGNMENTS, query, request, service);
    const own = entitiesOf(reply);
    const found = await more(request.query, find, own);
    return withEntities(reply, () => [...own, ...found.filter(({ id }) => own.every((each) => each.id !== id))]);
  });
const ignoreAccount = (filters: readonly string[]): Start =>
  add(filters, ({ accountId: _account, cursor: _cursor, pageSize: _size, ...rest }, find) => find(rest));

/** Lists as if the token had no principal, who sees all accounts. */
const toAnybody = (filters: readonly string[]): Start =>
  changeSuccess(LIST, async (_, request, service, kit) =>
    hasFilters(request, filters) ? service(await withAllScopes(request, kit, 'no principal')) : undefined,
  );

/** Keeps what is deleted, as it was, and changes later replies by it. */
const afterDeletion =
  (change: (reply: Reply, request: Request, deleted: ReadonlyMap<string | undefined, Json>) => Reply | undefined): Start =>
  () => {
    const deleted = new Map<string | undefined, Json>();
    return {
      requests: async (request, service) => {
        const { assignmentId = '' } = request.path;
        const before = request.operation === DELETE ? await assignmentAt(assignmentId, request, service) : undefined;
        const reply = await service(request);
        const changed = change(reply, request, deleted) ?? reply;
        if (before && isSuccess(reply)) deleted.set(assignmentId, before);
        return changed;
      },
    };
  };
const stillShown = (_: Reply, { operation, path }: Request, deleted: ReadonlyMap<string | undefined, Json>): Reply | undefined => {
  const assignment = operation === GET ? deleted.get(path.assignmentId) : undefined;
  return assignment && success(200, assignment);
};
const stillListed =
  (filters: readonly string[]) =>
  (reply: Reply, request: Request, deleted: ReadonlyMap<string | undefined, Json>): Reply | undefined => {
    const left = [...deleted.values()].filter((assignment) => filters.every((name) => assignment[name] === request.query[name]));
    return hasFilters(request, filters) && isSuccess(reply) ? withEntities(reply, (all) => [...left, ...all]) : undefined;
  };

/** Deletes, and refuses. */
const deleteAndRefuse = (rule: string): Start =>
  changeRefusal(rule, DELETE, async (reply, { path: { assignmentId = '' } }, _, kit) => {
    if (await kit.exists('assignments', assignmentId)) await kit.control.remove('assignments', assignmentId);
    return reply;
  });

/** Answers the first read of a new assignment in another way. */
const firstRead =
  (change: (reply: Reply) => Reply): Start =>
  () => {
    const created = new Set<string | undefined>();
    return {
      requests: async (request, service) => {
        const reply = await service(request);
        if (request.operation === 'createExperienceAssignment' && isSuccess(reply)) created.add(bodyOf(reply).id);
        return request.operation === GET && created.delete(request.path.assignmentId) ? change(reply) : reply;
      },
    };
  };
const show = (members: (assignment: Json) => Json): Start => changeSuccess(GET, (reply) => withMembers(reply, members(bodyOf(reply))));

export const assignments = {
  'assignments.list.by-account': {
    'Ignores accountId.': ignoreAccount(ACCOUNT),
    ...forEachType('Does not list TYPE by account.', leaveOutType(ACCOUNT)),
    'Lists one Experience only.': oneExperience(ACCOUNT),
  },
  'assignments.list.by-account-and-experience': {
    'Ignores experienceId.': ignore(AND_EXPERIENCE, 'experienceId'),
    'Ignores accountId.': ignoreAccount(AND_EXPERIENCE),
    ...forEachType('Does not list TYPE by account and Experience.', leaveOutType(AND_EXPERIENCE)),
  },
  'assignments.list.by-account-and-type': {
    'Ignores targetType.': ignore(AND_TYPE, 'targetType'),
    'Ignores accountId.': ignoreAccount(AND_TYPE),
    ...forEachType('Does not list TYPE by account and type.', leaveOutType(AND_TYPE)),
    'Lists one Experience only.': oneExperience(AND_TYPE),
  },
  'assignments.list.by-account-experience-and-type': {
    'Ignores experienceId.': ignore(ALL_THREE, 'experienceId'),
    'Ignores targetType.': ignore(ALL_THREE, 'targetType'),
    'Ignores accountId.': ignoreAccount(ALL_THREE),
    ...forEachType('Does not list TYPE by account, Experience and type.', leaveOutType(ALL_THREE)),
  },
  'assignments.list.by-target': {
    ...forEachType('Finds nothing by a TYPE.', leaveOutType(TARGET)),
    'Finds one Experience only.': leaveOut(TARGET, (assignment, [first]) => assignment !== first),
    'Ignores targetValue.': add(TARGET, ({ targetType = '' }, find) => find({ targetType })),
    'Compares how targetValue starts.': add(TARGET, async ({ targetType = '', targetValue = '' }, find) =>
      (await find({ targetType })).filter((each) => each.targetValue.startsWith(targetValue)),
    ),
    'Ignores targetType.': add(TARGET, async ({ targetType, targetValue = '' }, find) =>
      targetType === 'PHONE_NUMBER' ? [] : find({ targetType: targetType === 'USER' ? 'ACCOUNT' : 'USER', targetValue }),
    ),
    'Adds what is assigned to the account of the target.': add(TARGET, async ({ targetType }, find, [own]) =>
      targetType === 'ACCOUNT' || own === undefined ? [] : find({ targetType: 'ACCOUNT', targetValue: own.accountId }),
    ),
  },
  'assignments.list.only-visible': Object.fromEntries(
    [ACCOUNT, AND_EXPERIENCE, AND_TYPE, ALL_THREE, TARGET].map((filters) => [
      `Lists by ${filters.join(' and ')} for anybody.`,
      toAnybody(filters),
    ]),
  ),
  'assignments.list.page-size': {
    'Has pages of more than 100.': longerPages({ operation: LIST, most: 100 }, ({ query }) =>
      Number(query.pageSize) > 100 ? Number(query.pageSize) : undefined,
    ),
    'Has one page if pageSize is above 100.': longerPages({ operation: LIST, most: 100 }, ({ query }) =>
      Number(query.pageSize) > 100 ? Number.MAX_SAFE_INTEGER : undefined,
    ),
  },
  'assignments.list.cursor': {
    'Forgets the filters after the first page.': changeSuccess(LIST, async (reply, request, service, kit) => {
      const { accountId, cursor, pageSize = '100' } = request.query;
      if (cursor === undefined) return undefined;
      const all = [
        ...(await list(ASSIGNMENTS, { accountId }, request, service)),
        ...(await listInOtherAccounts(ASSIGNMENTS, {}, undefined, request, service, kit)),
      ];
      const unfit = all.filter((each) => Object.entries(request.query).some(([name, value]) => name in each && each[name] !== value));
      return withEntities(reply, (entities) => [...unfit, ...entities].slice(0, Number(pageSize)));
    }),
  },
  'assignments.get.same-as-created': {
    'Does not find a new assignment at once.': firstRead(() => problem(404)),
    'Shows local time as UTC.': show(({ updatedAt }) => ({ updatedAt: new Date(Date.parse(updatedAt) + 3_600_000).toISOString() })),
  },
  'assignments.delete.gone': {
    'Deletes nothing.': afterDeletion((...facts) => stillShown(...facts) ?? stillListed(TARGET)(...facts)),
    'Shows deleted assignments.': afterDeletion(stillShown),
    'Lists deleted assignments by target.': afterDeletion(stillListed(TARGET)),
    'Lists deleted assignments by account.': afterDeletion(stillListed(ACCOUNT)),
  },
  'assignments.delete.refused-changes-nothing': {
    'Deletes without the scope, and refuses.': deleteAndRefuse('auth.missing-scope'),
    'Deletes for a caller that may only read, and refuses.': deleteAndRefuse('assignments.delete.read-only'),
    'Deletes for a caller without access, and refuses.': deleteAndRefuse('assignments.delete.not-found'),
  },
} satisfies ByHand;
