import { changeEntities, changeMembers, createProblemReply, isSuccess, parseBody, SUCCESS } from '../exchange.ts';
import { changeRefusal, changeReply, changeSuccess, handleRequests, type MutantsByRule, type StartMutant } from '../mutant.ts';
import {
  ASSIGNMENTS,
  changeUpdatedAt,
  ignoreFilter,
  list,
  listForAnybody,
  omitEntities,
  refuseRecreation,
  repeatFirstUpdatedAt,
  returnDeletedEntities,
} from './resources.ts';

const CREATE_OPERATION = ASSIGNMENTS.create;

const unassignOthers: StartMutant = changeSuccess(CREATE_OPERATION, async (reply, { request, service, kit }) => {
  const { id: own, targetType, targetValue } = parseBody(reply);
  const all = await list(ASSIGNMENTS, { targetType, targetValue }, request.headers, service);
  for (const { id } of all) if (id !== own) await kit.control.remove('assignments', id);
  return undefined;
});

const reserveNumberForFirstExperience: StartMutant = () => {
  const holders = new Map<string, string>();
  return handleRequests(CREATE_OPERATION, async (request, service) => {
    const { experienceId, targetValue } = parseBody(request);
    const holder = holders.get(targetValue) ?? experienceId;
    const reply = holder === experienceId ? await service(request) : createProblemReply(422);
    if (isSuccess(reply)) holders.set(targetValue, holder);
    return reply;
  })();
};

const createFilterMutants = (...filters: readonly string[]) =>
  Object.fromEntries(filters.map((filter) => [`Ignores ${filter}.`, ignoreFilter(ASSIGNMENTS, filter)]));

export const assignments = {
  'assignments.list.by-account': createFilterMutants('accountId'),
  'assignments.list.by-account-and-experience': createFilterMutants('accountId', 'experienceId'),
  'assignments.list.by-account-and-type': createFilterMutants('accountId', 'targetType'),
  'assignments.list.by-account-experience-and-type': createFilterMutants('accountId', 'experienceId', 'targetType'),
  'assignments.list.by-target': {
    ...createFilterMutants('targetValue'),
    'Leaves account assignments out of the list.': omitEntities(ASSIGNMENTS, ({ targetType }) => targetType === 'ACCOUNT'),
  },
  'assignments.list.only-visible': {
    'Lists assignments that the caller may not see.': listForAnybody(ASSIGNMENTS),
    'Lists assignments of every provider.': changeSuccess(ASSIGNMENTS.list, async (reply, { kit }) => {
      const all = await kit.control.all('assignments');
      return changeEntities(reply, (found) => [...found, ...all.map(({ id }) => ({ ...found[0], id: String(id) }))]);
    }),
  },
  'assignments.create.several-experiences': { "Removes the target's other assignments.": unassignOthers },
  'assignments.create.unknown-target-refused': {
    'Accepts a user that the caller may not view.': changeRefusal(
      'assignments.create.unknown-user',
      CREATE_OPERATION,
      async (_, { request, kit }) => ((await kit.exists('users', parseBody(request).targetValue)) ? SUCCESS : undefined),
    ),
  },
  'assignments.create.agent-number-freed': { 'Never assigns a number to a second AGENT Experience.': reserveNumberForFirstExperience },
  'assignments.create.again': { 'Refuses to create a deleted entity again.': refuseRecreation(ASSIGNMENTS) },
  'assignments.create.read-only-members': Object.fromEntries(
    ['id', 'accountId', 'updatedAt'].map((member) => [
      `Takes over the ${member} in a create request.`,
      changeSuccess(CREATE_OPERATION, (reply, { request }) => {
        const value = parseBody(request)[member];
        return value === undefined ? undefined : changeMembers(reply, { [member]: value });
      }),
    ]),
  ),
  'assignments.create.updated-at-utc': {
    'Shows the Unix epoch (1970) in updatedAt.': changeSuccess(CREATE_OPERATION, (reply) =>
      changeMembers(reply, { updatedAt: '1970-01-01T00:00:00Z' }),
    ),
    'Shows the updatedAt of the first assignment if it is created again.': repeatFirstUpdatedAt(
      CREATE_OPERATION,
      ({ experienceId, targetValue }) => `${experienceId} ${targetValue}`,
    ),
  },
  'assignments.create.refused-changes-nothing': {
    "Changes the assignment's updatedAt when it refuses a duplicate.": changeUpdatedAt('assignments.create.duplicate', ASSIGNMENTS),
  },
  'assignments.delete.gone': { 'Returns a deleted assignment.': returnDeletedEntities(ASSIGNMENTS, 'read') },
  'assignments.delete.unlisted': { 'Lists deleted assignments.': returnDeletedEntities(ASSIGNMENTS, 'listed') },
  'assignments.delete.refused-changes-nothing': {
    'Deletes an assignment although it refuses the deletion.': changeReply(
      ASSIGNMENTS.remove,
      async (_, { request, kit }) => void (await kit.control.remove('assignments', request.id)),
      (reply) => !isSuccess(reply),
    ),
  },
} satisfies MutantsByRule;
