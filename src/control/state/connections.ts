import { createConnection } from '../../service/connections/create.ts';
import { deleteConnection } from '../../service/connections/remove.ts';
import { updateConnection } from '../../service/connections/update.ts';
import { accepted, type UseCases } from './use-cases.ts';

export const connections: UseCases<'connections'> = {
  async create(context, actor, { alias, entity, ids }) {
    const input = { accountId: ids.account!, experienceId: ids.experience!, state: entity.state, alias };
    return accepted(await createConnection(context, actor, input)).connection.id;
  },
  /** To name the state is to ask for it, also for the one that it has (decision `portal.same-state`). */
  async update(context, actor, { id, entity, asked }) {
    if (asked.has('state') && entity.state !== undefined) accepted(await updateConnection(context, actor, id, entity.state));
  },
  async remove(context, actor, { id }) {
    accepted(await deleteConnection(context, actor, id));
  },
};
