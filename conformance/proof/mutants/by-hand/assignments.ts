import { bodyOf, idOf, isSuccess, type Json, problem, type Request, SUCCESS, withMembers } from '../exchange.ts';
import { type ByHand, changeRefusal, changeReply, changeSuccess, type Kit, onRequest, type Service, type Start } from '../mutant.ts';
import {
  ASSIGNMENTS,
  createAgain,
  ignoreFilter,
  keepDeleted,
  leaveOut,
  list,
  listForAnybody,
  listRefused,
  touchWhen,
} from './resources.ts';

const CREATE = ASSIGNMENTS.create;

/** Lists the assignments of the target that a JSON text names. The list contains only assignments that the caller of `request` may see. */
const assignedTo = ({ text }: Pick<Request, 'text'>, request: Request, service: Service): Promise<Json[]> => {
  const { targetType, targetValue } = bodyOf({ text });
  return list(ASSIGNMENTS, { targetType, targetValue }, request, service);
};

/**
 * A mutant that runs `change` when a target gets a second assignment. If `change` returns a status, the reply to the creation has that
 * status.
 */
const besideOthers = (change: (own: Json, others: readonly Json[], kit: Kit) => Promise<number | undefined>): Start =>
  changeSuccess(CREATE, async (reply, { request, service, kit }) => {
    const own = bodyOf(reply);
    const others = (await assignedTo(reply, request, service)).filter(({ id }) => id !== own.id);
    const status = others.length > 0 ? await change(own, others, kit) : undefined;
    return status === undefined ? undefined : problem(status);
  });

/** A mutant that assigns a telephone number only to the first Experience that used the number, even after that assignment was deleted. */
const keepNumber: Start = () => {
  const holders = new Map<string, string>();
  return onRequest(CREATE, async (request, service) => {
    const { experienceId, targetValue } = bodyOf(request);
    const holder = holders.get(targetValue) ?? experienceId;
    const reply = holder === experienceId ? await service(request) : problem(422);
    if (isSuccess(reply)) holders.set(targetValue, holder);
    return reply;
  })();
};

async function removeAll(assignments: readonly Json[], { control }: Kit): Promise<undefined> {
  for (const { id } of assignments) await control.remove('assignments', id);
}

/** Mutants of a list of assignments that is filtered by the given parameters. */
const selectBy = (...filters: readonly string[]) => ({
  ...Object.fromEntries(filters.map((filter) => [`Ignores ${filter}.`, ignoreFilter(ASSIGNMENTS, filter)])),
  'Leaves assignments of users out of the list.': leaveOut(ASSIGNMENTS, ({ targetType }) => targetType === 'USER'),
  'Leaves assignments of accounts out of the list.': leaveOut(ASSIGNMENTS, ({ targetType }) => targetType === 'ACCOUNT'),
});

export const assignments = {
  'assignments.list.by-account': selectBy('accountId'),
  'assignments.list.by-account-and-experience': selectBy('accountId', 'experienceId'),
  'assignments.list.by-account-and-type': selectBy('accountId', 'targetType'),
  'assignments.list.by-account-experience-and-type': selectBy('accountId', 'experienceId', 'targetType'),
  'assignments.list.by-target': selectBy('targetType', 'targetValue'),
  'assignments.list.only-visible': { 'Lists assignments that the caller may not see.': listForAnybody(ASSIGNMENTS) },
  'assignments.create.several-experiences': {
    'Assigns a target to one Experience only.': besideOthers(async (own, _, kit) => {
      await removeAll([own], kit);
      return 409;
    }),
    'Removes the other assignments of the target.': besideOthers((_, others, kit) => removeAll(others, kit)),
  },
  'assignments.create.unknown-target-refused': {
    'Accepts a user that the caller may not view.': changeRefusal('assignments.create.unknown-user', CREATE, async (_, { request, kit }) =>
      (await kit.exists('users', bodyOf(request).targetValue)) ? SUCCESS : undefined,
    ),
  },
  'assignments.create.agent-number-freed': { 'Never gives a number to another AGENT Experience.': keepNumber },
  'assignments.create.again': createAgain(ASSIGNMENTS),
  'assignments.create.updated-at-utc': {
    'Shows the start of Unix time as updatedAt.': changeSuccess(CREATE, (reply) =>
      withMembers(reply, { updatedAt: '1970-01-01T00:00:00Z' }),
    ),
  },
  'assignments.create.refused-changes-nothing': {
    'Lists an assignment although its creation was refused.': listRefused(ASSIGNMENTS),
    'Removes the assignments of the target when it refuses a creation.': changeReply(
      CREATE,
      async (_, { request, service, kit }) => removeAll(await assignedTo(request, request, service), kit),
      (reply) => !isSuccess(reply),
    ),
    'Changes updatedAt of the assignment when it refuses a duplicate.': touchWhen('assignments.create.duplicate', ASSIGNMENTS),
  },
  'assignments.delete.gone': { 'Returns a deleted assignment.': keepDeleted(ASSIGNMENTS, 'read') },
  'assignments.delete.unlisted': { 'Lists deleted assignments.': keepDeleted(ASSIGNMENTS, 'listed') },
  'assignments.delete.refused-changes-nothing': {
    'Deletes an assignment although it refuses to.': changeReply(
      ASSIGNMENTS.remove,
      (_, { request, kit }) => removeAll([{ id: idOf(request) }], kit),
      (reply) => !isSuccess(reply),
    ),
  },
} satisfies ByHand;
