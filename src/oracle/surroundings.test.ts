import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Names, type Side } from './side.ts';
import { readSurroundings } from './surroundings.ts';
import type { Cast, Target } from './world.ts';

const [ACCOUNT, AGENT, OTHER_AGENT] = ['«account 1»', '«AGENT experience 1»', '«AGENT experience 2»'];
const [NUMBER, FREE_NUMBER] = ['«number 1»', '«number 2»'];

/** A server on whose last page a number is assigned to the first AGENT Experience. The pages before are empty. */
const createServer = () =>
  ({
    call: async (operation, { query = {} }) => {
      const isAsked = [query.targetValue, query.accountId].some((value) => value === NUMBER || value === ACCOUNT);
      const isListed = isAsked && operation === 'getExperienceAssignments' && [undefined, AGENT].includes(query.experienceId as string);
      const isLast = query.cursor === 'last';
      const entities = isListed && isLast ? [{ id: 'a', experienceId: AGENT }] : [];
      return { status: 200, text: '', json: { entities, cursor: isLast ? null : 'last' } };
    },
  }) as Pick<Side, 'call'> as Side;

test('what the target has assigned before is not used where that may be refused', async () => {
  const names = new Names();
  for (const name of [ACCOUNT, AGENT, OTHER_AGENT, NUMBER, FREE_NUMBER]) names.define(name, name, name);
  const targets = [NUMBER, FREE_NUMBER].map((name): Target => ({ name, type: 'PHONE_NUMBER', account: ACCOUNT }));
  const cast = { accounts: [ACCOUNT], experiences: [], agents: [AGENT, OTHER_AGENT], targets } as unknown as Cast;
  const found = await readSurroundings(cast, names, [createServer(), createServer()], 'flat');
  assert.deepEqual(found.connectable, [OTHER_AGENT]);
  assert.deepEqual(found.targets, targets.slice(1));
  assert.deepEqual([...found.occupied], [[ACCOUNT, new Set([AGENT])]]);
});
