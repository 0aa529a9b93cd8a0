import { createExperienceAssignment, deleteExperienceAssignment, getExperienceAssignments } from '../.out/kubb/api/index.ts';
import { makeFiveCalls } from './five-calls.ts';

await makeFiveCalls((token) => {
  const options = { headers: { authorization: `Bearer ${token}` } };
  return {
    assign: (data) =>
      createExperienceAssignment({ data }, { ...options, headers: { ...options.headers, 'content-type': 'application/json' } }),
    list: (params) => getExperienceAssignments({ params }, options),
    remove: (assignmentId) => deleteExperienceAssignment({ assignmentId }, options),
  };
});
