import { type Failure, isFailure } from '../contract/failure.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { operations as Operations } from '../contract/generated/service.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { Actor } from '../domain/access.ts';
import { parsePageSize } from '../domain/pages.ts';
import type { SuccessResponse } from '../http/success-response.ts';
import { checkAssignability } from '../service/assignability.ts';
import { createAssignment, deleteAssignment, listAssignments, readAssignment } from '../service/assignments.ts';
import { createConnection, deleteConnection, listConnections, readConnection, updateConnection } from '../service/connections.ts';
import type { ServiceContext } from '../service/context.ts';
import { listUsers, readUser, type SortField } from '../service/users.ts';
import type { Executor } from '../store/engine.ts';
import { createJournaledStore, type OnTransactionEnd } from '../store/journaled-store.ts';

type Parameters<Op extends OperationId> = Operations[Op]['parameters'];
/** The query of a request before its numbers are parsed. */
type QueryText<Query> = { readonly [Name in keyof Query]: Query[Name] extends number | undefined ? string | undefined : Query[Name] };

export interface CheckedRequest<Op extends OperationId> {
  readonly actor: Actor;
  readonly path: Parameters<Op> extends { path: infer Path } ? Path : Record<never, string>;
  readonly query: Parameters<Op> extends { query?: infer Query } ? QueryText<NonNullable<Query>> : Record<never, string>;
  readonly body: Operations[Op] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;
}

/** `storeEntry` stores a journal entry in the change's transaction. */
export interface RequestContext extends ServiceContext {
  readonly storeEntry?: ((tx: Executor, response: SuccessResponse | Failure) => Promise<OnTransactionEnd>) | undefined;
}

export type Handler<Op extends OperationId> = (request: CheckedRequest<Op>, context: RequestContext) => Promise<Outcome<Op>>;

export type Handlers = { readonly [Op in OperationId]: Handler<Op> };

export const handlers: Handlers = {
  getExperienceAssignability: async ({ actor, path, query }, context) =>
    respond(200, await checkAssignability(context, actor, path.experienceId, query)),

  getExperienceAssignments: async ({ actor, query }, context) =>
    respond(200, await listAssignments(context, actor, { ...query, pageSize: parsePageSize(query.pageSize, 100) })),
  createExperienceAssignment: async ({ actor, body }, context) => runChange(context, 201, (its) => createAssignment(its, actor, body)),
  getExperienceAssignment: async ({ actor, path }, context) => respond(200, await readAssignment(context, actor, path.assignmentId)),
  deleteExperienceAssignment: async ({ actor, path }, context) =>
    runChange(context, 204, (its) => deleteAssignment(its, actor, path.assignmentId)),

  async getExperienceConnections({ actor, query }, context) {
    const { tn, telephoneNumber = tn, ...rest } = query;
    return respond(200, await listConnections(context, actor, { ...rest, telephoneNumber, pageSize: parsePageSize(query.pageSize, 100) }));
  },
  createExperienceConnection: async ({ actor, body }, context) =>
    runChange(context, context.decisions['connections.create.status'], (its) => createConnection(its, actor, body)),
  getExperienceConnection: async ({ actor, path }, context) =>
    respond(200, await readConnection(context, actor, path.experienceConnectionId)),
  updateExperienceConnection: async ({ actor, path, body }, context) =>
    runChange(context, context.decisions['connections.update.status'], (its) =>
      updateConnection(its, actor, path.experienceConnectionId, body.state),
    ),
  deleteExperienceConnection: async ({ actor, path }, context) =>
    runChange(context, context.decisions['connections.delete.status'], (its) => deleteConnection(its, actor, path.experienceConnectionId)),

  getUsers: async ({ actor, query }, context) =>
    respond(
      200,
      await listUsers(context, actor, {
        ...query,
        pageSize: parsePageSize(query.pageSize, 200),
        // The query schema has already checked these values.
        sortBy: query.sortBy as SortField | undefined,
        sortOrder: query.sortOrder as 'asc' | 'desc' | undefined,
      }),
    ),
  getUser: async ({ actor, path }, context) => respond(200, await readUser(context, actor, path.userId)),
};

async function runChange<Status extends number, Result extends object>(
  context: RequestContext,
  status: Status,
  useCase: (context: ServiceContext) => Promise<Result>,
) {
  const { storeEntry } = context;
  if (storeEntry === undefined) return respond(status, await useCase(context));
  const store = createJournaledStore(context.store, (tx, result) => storeEntry(tx, respond(status, result as SuccessResponse | Failure)));
  return respond(status, await useCase({ ...context, store }));
}

function respond<Status extends number, Result extends object>(status: Status, result: Result) {
  if (isFailure(result)) return result;
  return { ...(result as Exclude<Result, Failure>), ...(status === 204 && { body: undefined }), status };
}
