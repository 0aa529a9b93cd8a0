// Tests of twenty kinds, in random order, each with its own clock, faults, deletions and receiver in a world of its own. testWorlds runs them.
import { expect, test } from '../../src/sdk/playwright.ts';

const TESTS = 20;

const { XPK_CHAOS_ROUNDS = '1', XPK_CHAOS_SEED = '1' } = process.env;

/** Returns the numbers from 0 to 19 in an order that depends on the seed, because each worker must list the tests in the same order. */
function shuffle(seed: number): number[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  const keyed = Array.from({ length: TESTS }, (_, number) => ({ number, key: next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ number }) => number);
}

for (let round = 0; round < Number(XPK_CHAOS_ROUNDS); round++)
  for (const number of shuffle(Number(XPK_CHAOS_SEED) + round))
    test(`round ${round}, test ${number}`, async ({ request, world }) => {
      const [hours, failures, events] = [number + 1, (number % 3) + 1, (number % 4) + 1];
      const [user, account] = [`users/${world.ids.users!.ada}`, world.ids.accounts!.northwind!];
      const readStatus = async (path: string, token: string) =>
        (await request.get(path, { headers: { authorization: `Bearer ${token}` } })).status();

      const expiring = await world.mint();
      expect(await readStatus(user, expiring)).toBe(200);
      await world.clock.advance(`${hours}h1m`);
      expect((await world.control.GET('/_control/clock')).data.offsetMs).toBe(hours * 3_600_000 + 60_000);
      expect(await readStatus(user, expiring)).toBe(401);

      const token = await world.mint();
      await world.fault({ fault: 'problem', operation: 'getUsers', status: 503, times: failures });
      const statuses = [];
      for (let n = 0; n <= failures; n++) statuses.push(await readStatus(`users?accountId=${account}`, token));
      expect(statuses).toEqual([...Array.from({ length: failures }, () => 503), 200]);

      const { received } = await world.subscribe(() => {}, { types: ['provisioning.user.created'] });
      for (let n = 0; n < events; n++) await world.state.add('users', { account: 'northwind', firstName: `User ${n}` });
      await world.settled(30_000);
      expect(received).toHaveLength(events);

      if (number % 2 === 1) await world.state.delete('users', 'ada');
      expect(await readStatus(user, token)).toBe(number % 2 === 1 ? 404 : 200);
      expect((await world.control.GET('/_control/requests')).data).toHaveLength(failures + 4);
    });
