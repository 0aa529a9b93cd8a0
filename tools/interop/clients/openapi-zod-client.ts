import { createApiClient } from '../.out/openapi-zod-client/api.ts';
import { type Answer, kitUrl, makeFiveCalls } from './five-calls.ts';

await makeFiveCalls((token) => {
  let status = 0;
  // Read the status in `validateStatus`, because the client returns only the body.
  const validateStatus = (received: number) => {
    status = received;
    return received < 400;
  };
  const api = createApiClient(kitUrl, { axiosConfig: { validateStatus, headers: { authorization: `Bearer ${token}` } } });
  const answer = async <Body>(response: Promise<Body>): Promise<Answer<Body>> => {
    const data = await response.catch((error: unknown) => {
      if (status < 400) throw error;
      return undefined;
    });
    return { status, data };
  };
  return {
    assign: (body) => answer(api.createExperienceAssignment(body)),
    list: (queries) => answer(api.getExperienceAssignments({ queries })),
    remove: (assignmentId) => answer(api.deleteExperienceAssignment(undefined, { params: { assignmentId } })),
  };
});
