import assert from 'node:assert/strict';
import { inARow, ok, refused } from '../expect.ts';
import type { Lab, Token } from '../lab.ts';
import { ASSIGNABILITY, type ExperienceAlias, experience, number, type Target } from '../steps.ts';
import { assigned, type Check, type Variants } from './variant.ts';

const FREE = number('+442079460105');
const check = (lab: Lab, alias: ExperienceAlias, target: Target, token: Token = 'full') =>
  lab.api(token).GET(ASSIGNABILITY, { params: { path: { experienceId: experience(alias) }, query: target } });
const many = (lab: Lab, count: number, token: Token) => inARow(count, () => check(lab, 'agent', FREE, token));
const malformed = (lab: Lab, token: Token) => lab.send('GET', ASSIGNABILITY.replace('{experienceId}', experience('agent')), { token });

const expected =
  (assignable: boolean, alias: ExperienceAlias, prepare: (lab: Lab) => Promise<Target>): Check =>
  async (lab) =>
    assert.equal((await ok(check(lab, alias, await prepare(lab)))).assignable, assignable);
const either = (alias: ExperienceAlias, prepare: (lab: Lab) => Promise<Target>) => ({
  false: expected(false, alias, prepare),
  true: expected(true, alias, prepare),
});
const taken = async (lab: Lab) => {
  const { accountId, numbers } = lab.room();
  const { response } = await assigned(lab, 'agent', number(numbers[0]), accountId);
  assert.equal(response.status, 201);
  return number(numbers[0]);
};
/** To the start of a second of kit time. */
const align = (lab: Lab) => lab.advance(1000 - (lab.kit.clock.now() % 1000));
const limitedAnswer = async (lab: Lab) => {
  const token = await lab.loadToken();
  await many(lab, 100, token);
  await refused(check(lab, 'agent', FREE, token), 429, 'limits.assignability.rate');
  return (await check(lab, 'agent', FREE, token)).response.headers.get('retry-after');
};
let clients = 0;
/** Two tokens of one client. */
const twoTokens = async (lab: Lab): Promise<readonly [Token, Token]> => {
  const request = { client: `load-${12 - (clients++ % 4)}`, principal: 'manager' };
  return [await lab.mint(request), await lab.mint(request)];
};

/** Open points of assignability and of its rate limit. */
export const ofAssignability = {
  'assignability.already-assigned': either('agent', taken),
  'assignability.agent-conflict': either('other-agent', taken),
  'assignability.hidden-target': either('agent', async () => number('+442079460104')),
  'limits.assignability.window': {
    sliding: async (lab) => {
      const token = await lab.loadToken();
      await align(lab);
      await lab.advance(999);
      assert.deepEqual(await many(lab, 100, token), { 200: 100 });
      await lab.advance(1);
      assert.deepEqual(await many(lab, 1, token), { 429: 1 });
    },
    fixed: async (lab) => {
      const token = await lab.loadToken();
      await align(lab);
      assert.deepEqual(await many(lab, 101, token), { 200: 100, 429: 1 });
      await lab.advance(999);
      assert.deepEqual(await many(lab, 1, token), { 429: 1 });
      await lab.advance(1);
      assert.deepEqual(await many(lab, 101, token), { 200: 100, 429: 1 });
    },
    bucket: async (lab) => {
      const token = await lab.loadToken();
      assert.deepEqual(await many(lab, 101, token), { 200: 100, 429: 1 });
      await lab.advance(500);
      assert.deepEqual(await many(lab, 51, token), { 200: 50, 429: 1 });
      await lab.advance(10_000);
      assert.deepEqual(await many(lab, 101, token), { 200: 100, 429: 1 });
    },
  },
  'limits.assignability.counts': {
    authenticated: async (lab) => {
      const token = await lab.loadToken();
      assert.deepEqual(await inARow(100, () => malformed(lab, token)), { 400: 100 });
      assert.deepEqual(await many(lab, 1, token), { 429: 1 });
    },
    valid: async (lab) => {
      const token = await lab.loadToken();
      assert.deepEqual(await inARow(100, () => malformed(lab, token)), { 400: 100 });
      assert.deepEqual(await many(lab, 101, token), { 200: 100, 429: 1 });
      await refused(malformed(lab, token), 400, 'assignability.target-missing');
    },
  },
  'limits.assignability.retry-after': {
    sent: async (lab) => assert.match((await limitedAnswer(lab)) ?? '', /^[1-9]\d*$/),
    absent: async (lab) => assert.equal(await limitedAnswer(lab), null),
  },
  'limits.assignability.credential': {
    client: async (lab) => {
      const [one, other] = await twoTokens(lab);
      await many(lab, 100, one);
      assert.deepEqual(await many(lab, 1, other), { 429: 1 });
    },
    token: async (lab) => {
      const [one, other] = await twoTokens(lab);
      assert.deepEqual(await many(lab, 101, one), { 200: 100, 429: 1 });
      assert.deepEqual(await many(lab, 100, other), { 200: 100 });
    },
  },
} as const satisfies Variants;
