import type { Decisions } from '../contract/generated/decisions.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { operations as Operations } from '../contract/generated/service.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { Actor } from '../domain/access.ts';
import { parsePageSize } from '../domain/pages.ts';
import { checkAssignability } from '../service/assignability.ts';
import { createAssignment, deleteAssignment, listAssignments, readAssignment } from '../service/assignments.ts';
import { createConnection, deleteConnection, listConnections, readConnection, updateConnection } from '../service/connections.ts';
import type { ServiceContext } from '../service/context.ts';
import { listUsers, readUser, type SortField } from '../service/users.ts';

type Parameters<Op extends OperationId> = Operations[Op]['parameters'];
/** The query of a request before its numbers are parsed. */
type QueryText<Query> = { readonly [Name in keyof Query]: Query[Name] extends number | undefined ? string | undefined : Query[Name] };

export interface CheckedRequest<Op extends OperationId> {
  readonly actor: Actor;
  readonly path: Parameters<Op> extends { path: infer Path } ? Path : Record<never, string>;
  readonly query: Parameters<Op> extends { query?: infer Query } ? QueryText<NonNullable<Query>> : Record<never, string>;
  readonly body: Operations[Op] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;
}

type SuccessOf<Op extends OperationId> = Extract<Outcome<Op>, { readonly body: unknown }>;

export interface Handler<Op extends OperationId> {
  /** The status of a success. A function returns the status that a decision sets. */
  readonly status: SuccessOf<Op>['status'] | ((decisions: Decisions) => SuccessOf<Op>['status']);
  /** Calls the use case. */
  readonly run: (
    context: ServiceContext,
    request: CheckedRequest<Op>,
  ) => Promise<Omit<SuccessOf<Op>, 'status'> | Exclude<Outcome<Op>, SuccessOf<Op>>>;
}

export type Handlers = { readonly [Op in OperationId]: Handler<Op> };

export const handlers: Handlers = {
  getExperienceAssignability: {
    status: 200,
    run: (context, { actor, path, query }) => checkAssignability(context, actor, path.experienceId, query),
  },
  getExperienceAssignments: {
    status: 200,
    run: (context, { actor, query }) => listAssignments(context, actor, { ...query, pageSize: parsePageSize(query.pageSize, 100) }),
  },
  createExperienceAssignment: { status: 201, run: (context, { actor, body }) => createAssignment(context, actor, body) },
  getExperienceAssignment: { status: 200, run: (context, { actor, path }) => readAssignment(context, actor, path.assignmentId) },
  deleteExperienceAssignment: { status: 204, run: (context, { actor, path }) => deleteAssignment(context, actor, path.assignmentId) },

  getExperienceConnections: {
    status: 200,
    run(context, { actor, query }) {
      const { tn, telephoneNumber = tn, ...rest } = query;
      return listConnections(context, actor, { ...rest, telephoneNumber, pageSize: parsePageSize(query.pageSize, 100) });
    },
  },
  createExperienceConnection: {
    status: (decisions) => decisions['connections.create.status'],
    run: (context, { actor, body }) => createConnection(context, actor, body),
  },
  getExperienceConnection: {
    status: 200,
    run: (context, { actor, path }) => readConnection(context, actor, path.experienceConnectionId),
  },
  updateExperienceConnection: {
    status: (decisions) => decisions['connections.update.status'],
    run: (context, { actor, path, body }) => updateConnection(context, actor, path.experienceConnectionId, body.state),
  },
  deleteExperienceConnection: {
    status: (decisions) => decisions['connections.delete.status'],
    run: (context, { actor, path }) => deleteConnection(context, actor, path.experienceConnectionId),
  },

  getUsers: {
    status: 200,
    run: (context, { actor, query }) =>
      listUsers(context, actor, {
        ...query,
        pageSize: parsePageSize(query.pageSize, 200),
        // The query schema has already checked these values.
        sortBy: query.sortBy as SortField | undefined,
        sortOrder: query.sortOrder as 'asc' | 'desc' | undefined,
      }),
  },
  getUser: { status: 200, run: (context, { actor, path }) => readUser(context, actor, path.userId) },
};
