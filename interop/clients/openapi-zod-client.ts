import { createApiClient } from '../.out/openapi-zod-client/api.ts';
import { type Answer, fiveCalls, kitUrl } from './five-calls.ts';

await fiveCalls((token) => {
  let status = 0;
  // The client returns only the body, so read the status in `validateStatus`.
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
