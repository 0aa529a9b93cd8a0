import { isRefused } from '../contract/outcome.ts';
import { createConnection } from '../service/connections/create.ts';
import { listConnections } from '../service/connections/list.ts';
import { readConnection } from '../service/connections/read.ts';
import { deleteConnection } from '../service/connections/remove.ts';
import { updateConnection } from '../service/connections/update.ts';
import type { Handlers } from './handler.ts';
import { pageSizeOf } from './page-size.ts';

type ConnectionOperations =
  | 'getExperienceConnections'
  | 'createExperienceConnection'
  | 'getExperienceConnection'
  | 'updateExperienceConnection'
  | 'deleteExperienceConnection';

/** Endpoints › /experience/connections. Success statuses that are not shown are decisions. */
export const connections: Pick<Handlers, ConnectionOperations> = {
  async getExperienceConnections({ actor, query }, context) {
    const { tn, telephoneNumber = tn, ...rest } = query;
    const result = await listConnections(context, actor, { ...rest, telephoneNumber, pageSize: pageSizeOf(query.pageSize, 100) });
    return isRefused(result) ? result : { status: 200, body: result.body, evidence: result.evidence };
  },
  async createExperienceConnection({ actor, body }, context) {
    const result = await createConnection(context, actor, body);
    return isRefused(result) ? result : { status: context.decisions['connections.create.status'], body: result.connection };
  },
  async getExperienceConnection({ actor, path }, context) {
    const result = await readConnection(context, actor, path.experienceConnectionId);
    return isRefused(result) ? result : { status: 200, body: result.connection };
  },
  async updateExperienceConnection({ actor, path, body }, context) {
    const result = await updateConnection(context, actor, path.experienceConnectionId, body.state);
    if (isRefused(result)) return result;
    const status = context.decisions['connections.update.status'];
    return { status, body: status === 204 ? undefined : result.connection };
  },
  async deleteExperienceConnection({ actor, path }, context) {
    const result = await deleteConnection(context, actor, path.experienceConnectionId);
    return isRefused(result) ? result : { status: context.decisions['connections.delete.status'], body: undefined };
  },
};
