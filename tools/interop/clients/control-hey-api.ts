import { advanceClock, createUserEntity, deleteUserEntity, mintToken, readUserEntity } from '../.out/control-hey-api/api/index.ts';
import { makeControlCalls } from './control-calls.ts';

const answer = <Body>({ data, response }: { data: Body; response?: Response | undefined }) => ({ data, status: response?.status ?? 0 });

await makeControlCalls({
  mint: async (body) => answer(await mintToken({ body })),
  addUser: async (body) => answer(await createUserEntity({ body })),
  readUser: async (id) => answer(await readUserEntity({ path: { id } })),
  advance: async (body) => answer(await advanceClock({ body })),
  removeUser: async (id) => answer(await deleteUserEntity({ path: { id } })),
});
