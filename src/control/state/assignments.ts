import { createAssignment } from '../../service/assignments/create.ts';
import { deleteAssignment } from '../../service/assignments/remove.ts';
import { accepted, type UseCases } from './use-cases.ts';

/** An assignment has nothing to update: it exists or it does not (States and transitions). */
export const assignments: UseCases<'assignments'> = {
  async create(context, actor, { alias, entity, ids }) {
    const input = { experienceId: ids.experience!, targetType: entity.targetType, targetValue: ids.target!, alias };
    return accepted(await createAssignment(context, actor, input)).assignment.id;
  },
  update: async () => {},
  async remove(context, actor, { id }) {
    accepted(await deleteAssignment(context, actor, id));
  },
};
