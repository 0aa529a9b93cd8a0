import { createExperienceAssignment, deleteExperienceAssignment, getExperienceAssignments } from '../.out/hey-api/api/index.ts';
import { makeFiveCalls } from './five-calls.ts';

await makeFiveCalls((auth) => {
  const answer = <Body>({ data, response }: { data: Body; response?: Response | undefined }) => ({ data, status: response?.status ?? 0 });
  return {
    assign: async (body) => answer(await createExperienceAssignment({ auth, body })),
    list: async (query) => answer(await getExperienceAssignments({ auth, query })),
    remove: async (assignmentId) => answer(await deleteExperienceAssignment({ auth, path: { assignmentId } })),
  };
});
