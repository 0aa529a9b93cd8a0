import { pageRequests } from '../once.ts';
import { compare } from '../rounds.ts';
import { startKit } from '../server.ts';
import { ACCOUNT } from '../world.ts';
import type { Scenario } from './scenario.ts';

const FEW = 1000;
const MANY = 1_000_000;
const PAGES = 1000;

/** What a page costs in an account of a million, next to one of a thousand: assignments, and users with their count. */
export const scale: Scenario = async (options, say) => {
  const small = await startKit({ clients: 1, assignments: FEW, users: FEW });
  say(`loading ${MANY} assignments and as many users`);
  const large = await startKit({ clients: 1, assignments: MANY, users: MANY });
  const lists = {
    assignments: `/experience/assignments?accountId=${ACCOUNT}&pageSize=100`,
    users: `/users?accountId=${ACCOUNT}&pageSize=100`,
  };
  try {
    const contenders = [];
    for (const [list, path] of Object.entries(lists)) {
      for (const [size, server] of Object.entries({ few: small, many: large })) {
        const requests = await pageRequests(server.port, path, server.tokens[0]!, PAGES);
        contenders.push({ name: `${list}, ${size}`, server, job: () => ({ expect: 200, requests }) });
      }
    }
    const { faster, absolutes } = await compare(contenders, options, say);
    const row = (what: string, list: keyof typeof lists) => ({
      what,
      against: '1,000 rows',
      unit: 'x' as const,
      figures: faster(`${list}, few`, `${list}, many`),
      target: { atMost: 2 },
    });
    return { rows: [row('page at 1,000,000', 'assignments'), row('users page with count at 1,000,000', 'users')], absolutes };
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
};
