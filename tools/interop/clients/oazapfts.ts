import { createExperienceAssignment, deleteExperienceAssignment, getExperienceAssignments } from '../.out/oazapfts/api.ts';
import { makeFiveCalls } from './five-calls.ts';

await makeFiveCalls((token) => {
  const options = { headers: { authorization: `Bearer ${token}` } };
  return {
    async assign(body) {
      const answer = await createExperienceAssignment(body, options);
      return answer.status === 201 && 'id' in answer.data ? { status: 201, data: answer.data } : { status: answer.status };
    },
    async list(query) {
      const answer = await getExperienceAssignments(query, options);
      return answer.status === 200 && 'entities' in answer.data ? { status: 200, data: answer.data } : { status: answer.status };
    },
    remove: (assignmentId) => deleteExperienceAssignment(assignmentId, options),
  };
});
