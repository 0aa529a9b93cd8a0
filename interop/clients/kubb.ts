import { createExperienceAssignment, deleteExperienceAssignment, getExperienceAssignments } from '../.out/kubb/api/index.ts';
import { fiveCalls } from './five-calls.ts';

await fiveCalls((token) => {
  const options = { headers: { authorization: `Bearer ${token}` } };
  return {
    assign: (data) =>
      createExperienceAssignment({ data }, { ...options, headers: { ...options.headers, 'content-type': 'application/json' } }),
    list: (params) => getExperienceAssignments({ params }, options),
    remove: (assignmentId) => deleteExperienceAssignment({ assignmentId }, options),
  };
});
