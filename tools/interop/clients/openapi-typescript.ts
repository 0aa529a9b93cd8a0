import createClient from 'openapi-fetch';
import type { paths } from '../.out/openapi-typescript/api.ts';
import { kitUrl, makeFiveCalls } from './five-calls.ts';

await makeFiveCalls((token) => {
  const api = createClient<paths>({ baseUrl: kitUrl, headers: { authorization: `Bearer ${token}` } });
  const answer = <Body>({ data, response }: { data?: Body; response: Response }) => ({ data, status: response.status });
  return {
    assign: async (body) => answer(await api.POST('/experience/assignments', { body })),
    list: async (query) => answer(await api.GET('/experience/assignments', { params: { query } })),
    remove: async (assignmentId) =>
      answer(await api.DELETE('/experience/assignments/{assignmentId}', { params: { path: { assignmentId } } })),
  };
});
