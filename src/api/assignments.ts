import { isRefused } from '../contract/outcome.ts';
import { createAssignment } from '../service/assignments/create.ts';
import { listAssignments } from '../service/assignments/list.ts';
import { readAssignment } from '../service/assignments/read.ts';
import { deleteAssignment } from '../service/assignments/remove.ts';
import type { Handlers } from './handler.ts';
import { pageSizeOf } from './page-size.ts';

type AssignmentOperations =
  | 'getExperienceAssignments'
  | 'createExperienceAssignment'
  | 'getExperienceAssignment'
  | 'deleteExperienceAssignment';

/** Endpoints › /experience/assignments. */
export const assignments: Pick<Handlers, AssignmentOperations> = {
  async getExperienceAssignments({ actor, query }, context) {
    const result = await listAssignments(context, actor, { ...query, pageSize: pageSizeOf(query.pageSize, 100) });
    return isRefused(result) ? result : { status: 200, body: result.body, evidence: result.evidence };
  },
  async createExperienceAssignment({ actor, body }, context) {
    const result = await createAssignment(context, actor, body);
    return isRefused(result) ? result : { status: 201, body: result.body };
  },
  async getExperienceAssignment({ actor, path }, context) {
    const result = await readAssignment(context, actor, path.assignmentId);
    return isRefused(result) ? result : { status: 200, body: result.body };
  },
  async deleteExperienceAssignment({ actor, path }, context) {
    const result = await deleteAssignment(context, actor, path.assignmentId);
    return isRefused(result) ? result : { status: 204, body: undefined };
  },
};
