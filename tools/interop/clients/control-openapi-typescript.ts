import createClient from 'openapi-fetch';
import type { paths } from '../.out/control-openapi-typescript/api.ts';
import { kitUrl, makeControlCalls } from './control-calls.ts';

const api = createClient<paths>({ baseUrl: kitUrl });
const answer = <Body>({ data, response }: { data?: Body; response: Response }) => ({ data, status: response.status });
const user = (id: string) => ({ params: { path: { id } } });

await makeControlCalls({
  mint: async (body) => answer(await api.POST('/_control/tokens', { body })),
  addUser: async (body) => answer(await api.POST('/_control/state/users', { body })),
  readUser: async (id) => answer(await api.GET('/_control/state/users/{id}', user(id))),
  advance: async (body) => answer(await api.POST('/_control/clock/advance', { body })),
  removeUser: async (id) => answer(await api.DELETE('/_control/state/users/{id}', user(id))),
});
