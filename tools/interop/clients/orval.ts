import { createExperienceAssignment, deleteExperienceAssignment, getExperienceAssignments } from '../.out/orval/api.ts';
import { makeFiveCalls } from './five-calls.ts';

await makeFiveCalls((token) => {
  const options = { headers: { authorization: `Bearer ${token}` } };
  return {
    async assign(body) {
      const answer = await createExperienceAssignment(body, options);
      return answer.status === 201 ? answer : { status: answer.status };
    },
    async list(query) {
      const answer = await getExperienceAssignments(query, options);
      return answer.status === 200 ? answer : { status: answer.status };
    },
    remove: (assignmentId) => deleteExperienceAssignment(assignmentId, options),
  };
});
