import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { isSuccess, type Json, problem, type Reply, type Request, success, withEntities } from '../exchange.ts';
import { remembering, type Saboteur, type SaboteursOf } from '../saboteur.ts';
import { assignmentBehind, isOfFilters, toAnybody, whereDone, whereNotFound } from './assignments-world.ts';
import { refusedBy, whereRefused } from './refused.ts';

const GET = 'getExperienceAssignment';
const DELETE = 'deleteExperienceAssignment';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A server that answers otherwise where the assignment may only be read. */
const readOnly = (does: string, answer: () => Reply): Saboteur => whereRefused('assignments.delete.read-only', DELETE, does, answer);

/** A server that refuses by a rule, and deletes all the same. */
const allTheSame = (rule: string, who: string): Saboteur =>
  whereRefused(rule, DELETE, `Refuses ${who}, but has deleted by then.`, async (reply, { path: { assignmentId = '' } }, behind) => {
    if (await behind.exists('assignments', assignmentId)) await behind.control.remove('assignments', assignmentId);
    return reply;
  });

/** A server that does something else with what it has deleted. @param change of the answer to any request, by what was deleted */
const afterwards = (does: string, change: (reply: Reply, request: Request, deleted: readonly Json[]) => Reply | undefined): Saboteur =>
  remembering(does, () => {
    const deleted: Json[] = [];
    return async (request, service, behind) => {
      const before = request.operation === DELETE ? await assignmentBehind(behind, request.path.assignmentId) : undefined;
      const reply = await service(request);
      const changed = change(reply, request, deleted) ?? reply;
      if (before && isSuccess(reply)) deleted.push(before);
      return changed;
    };
  });

const asked = ({ path }: Request, deleted: readonly Json[]): Json | undefined => deleted.find(({ id }) => id === path.assignmentId);

/** A server that goes on showing what it has deleted. */
const stillShown = (_: Reply, request: Request, deleted: readonly Json[]): Reply | undefined => {
  const assignment = request.operation === GET ? asked(request, deleted) : undefined;
  return assignment && success(200, assignment);
};

/** A server that goes on listing by some filters what it has deleted. */
const stillListed =
  (filters: readonly string[]) =>
  (reply: Reply, request: Request, deleted: readonly Json[]): Reply | undefined => {
    const left = deleted.filter((assignment) => filters.every((name) => assignment[name] === request.query[name]));
    return isOfFilters(request, filters) && isSuccess(reply) ? withEntities(reply, (all) => [...left, ...all]) : undefined;
  };

/** A server that answers otherwise when it is to delete once more. */
const again = (does: string, answer: () => Reply): Saboteur =>
  afterwards(does, (_, request, deleted) => (request.operation === DELETE && asked(request, deleted) ? answer() : undefined));

/** Servers that delete what they should not, or do not delete what they should, or tell otherwise. */
export const assignmentsDelete = {
  'assignments.delete.refused-changes-nothing': [
    allTheSame('auth.missing-scope', 'a token without the scope'),
    allTheSame('assignments.delete.read-only', 'a caller that may only read the assignment'),
    allTheSame('assignments.delete.not-found', 'a caller without access'),
    remembering('Refuses a caller without access, but has deleted from all lists and views by then.', () => {
      const hidden = new Set<string | undefined>();
      return async (request, service) => {
        const reply = await service(request);
        if (request.operation === DELETE && refusedBy(reply) !== undefined) hidden.add(request.path.assignmentId);
        return request.operation === GET && hidden.has(request.path.assignmentId) ? problem(404) : reply;
      };
    }),
  ],
  'assignments.delete.no-body': [
    whereDone(DELETE, 'Answers a deletion with 200.', () => success(200)),
    whereDone(DELETE, 'Answers a deletion with 200 and an empty object.', () => success(200, {})),
    whereDone(DELETE, 'Answers a deletion with 202.', () => success(202)),
    afterwards('Answers a deletion with 200 and what was deleted.', (reply, request) =>
      request.operation === DELETE && isSuccess(reply) ? success(200, { id: request.path.assignmentId }) : undefined,
    ),
  ],
  'assignments.delete.gone': [
    afterwards(
      'Says that it deletes, and does not.',
      (...args) => stillShown(...args) ?? stillListed(['targetType', 'targetValue'])(...args),
    ),
    afterwards('Goes on showing what was deleted.', stillShown),
    afterwards('Says 410 for what was deleted.', (_, request, deleted) =>
      request.operation === GET && asked(request, deleted) ? problem(410) : undefined,
    ),
    afterwards('Goes on listing by its target what was deleted.', stillListed(['targetType', 'targetValue'])),
    afterwards('Goes on listing by its account what was deleted.', stillListed(['accountId'])),
    afterwards('Goes on listing by its account and Experience what was deleted.', stillListed(['accountId', 'experienceId'])),
  ],
  'assignments.delete.read-only': [
    readOnly('Answers a caller that may only read the assignment with 404.', () => problem(404)),
    readOnly('Answers a caller that may only read the assignment with 401.', () => problem(401)),
    readOnly('Answers a caller that may only read the assignment with 204.', () => success(204)),
    whereRefused('assignments.delete.read-only', DELETE, 'Deletes for a caller that may only read.', async (_, request, behind) => {
      await behind.control.remove('assignments', request.path.assignmentId ?? '');
      return success(204);
    }),
  ],
  'assignments.delete.not-found': [
    whereNotFound(DELETE, 'missing', 'Answers the deletion of an assignment that is missing with 204.', () => success(204)),
    whereNotFound(DELETE, 'missing', 'Answers the deletion of an assignment that is missing with 403.', () => problem(403)),
    whereNotFound(DELETE, 'missing', 'Answers the deletion of an assignment that is missing with 409.', () => problem(409)),
    whereNotFound(DELETE, 'missing', 'Refuses to delete an id that is not a UUID with 400.', (id) =>
      UUID.test(id) ? undefined : problem(400),
    ),
    again('Answers the second deletion of an assignment with 204.', () => success(204)),
    again('Answers the second deletion of an assignment with 410.', () => problem(410)),
    again('Answers the second deletion of an assignment with 409.', () => problem(409)),
    whereNotFound(DELETE, 'hidden', 'Refuses to delete what the caller has no access to with 403.', () => problem(403)),
    whereNotFound(DELETE, 'hidden', 'Answers the deletion of what the caller has no access to with 204.', () => success(204)),
    toAnybody(DELETE, 'Deletes for callers without access.'),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
