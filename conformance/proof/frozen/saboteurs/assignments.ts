import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { bodyOf, success } from '../exchange.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { assignmentsCreate } from './assignments-create.ts';
import { assignmentsCreateRefusals } from './assignments-create-refusals.ts';
import { assignmentsDelete } from './assignments-delete.ts';
import { assignmentsGet } from './assignments-get.ts';
import { assignmentsList } from './assignments-list.ts';
import { assignmentsListRefusals } from './assignments-list-refusals.ts';
import { assignmentsPages } from './assignments-pages.ts';
import { assignmentsRefused } from './assignments-refused.ts';
import { assignmentsShape } from './assignments-shape.ts';
import { emptyPage, invented, withoutScope } from './assignments-world.ts';

/** Servers that break one rule each. */
export const assignments: SaboteursOf<Extract<TestableRuleId['openapi'], `assignments.${string}`>> = {
  'assignments.list.scope': withoutScope('getExperienceAssignments', 'Lists assignments', emptyPage),
  'assignments.create.scope': withoutScope('createExperienceAssignment', 'Creates assignments', (request) =>
    success(201, invented(bodyOf(request))),
  ),
  'assignments.get.scope': withoutScope('getExperienceAssignment', 'Shows assignments', ({ path }) =>
    success(200, invented({ id: path.assignmentId })),
  ),
  'assignments.delete.scope': withoutScope('deleteExperienceAssignment', 'Deletes assignments', () => success(204)),
  ...assignmentsList,
  ...assignmentsPages,
  ...assignmentsListRefusals,
  ...assignmentsShape,
  ...assignmentsCreate,
  ...assignmentsCreateRefusals,
  ...assignmentsRefused,
  ...assignmentsGet,
  ...assignmentsDelete,
};
