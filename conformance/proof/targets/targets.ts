import type { AddressInfo } from 'node:net';
import type { Profile } from '../../../src/contract/generated/profile.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { profileTarget } from '../../runner/profile-target.ts';
import { type KnownServer, verdictObjections } from '../server.ts';
import { planVariants } from '../variants/plan.ts';
import { readExpected } from './expected.ts';
import { server } from './foreign-server.ts';
import { openPrismMock } from './prism-mock.ts';
import { openStagingKit } from './staging-kit.ts';

const STAGING = {
  readModelBoundMs: 2000,
  sortFields: { createdAt: 'createdAt', updatedAt: 'updatedAt', firstName: 'firstName', lastName: 'lastName' },
};

const TARGETS: Readonly<Record<string, KnownServer['open']>> = {
  kit: () => openStagingKit(STAGING),
  'careless-kit': () => openStagingKit({ ...STAGING, isCareless: true }),
  'different-kit': () =>
    openStagingKit({ set: planVariants(() => true)[0] ?? {}, readModelBoundMs: 5000, sortFields: { createdAt: 'createdAt' } }),
  'foreign-server': openForeignServer,
  'prism-mock': openPrismMock,
};

/** By target: the YAML files with the expected verdicts, unless that is one file with the name of the target. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'different-kit': ['kit', 'different-kit'],
  'careless-kit': ['kit', 'careless-kit'],
};

/** By target: the only rules that are tested, because the target treats all others like another target. */
const RULES: Readonly<Record<string, RegExp>> = {
  'careless-kit':
    /^events\.(publish\.every-change|connection\.\w+\.on-(create|update|delete)|envelope\.type|delivery\.re(tries-non-2xx|peat-\S+))$/,
};

/** Servers for which the expected verdict on every rule is written down. */
export function targetServers(rules: readonly RuleId[] | undefined): Promise<KnownServer[]> {
  return Promise.all(
    Object.entries(TARGETS).map(async ([name, open]) => {
      const expected = await readExpected(LISTS[name] ?? [name]);
      const own = rulesInScope.flatMap(({ id }) => (RULES[name]?.test(id) === false ? [] : id));
      const run = { rules: own.filter((id) => rules?.includes(id) ?? true), observing: false };
      return { name, open, run, verify: (results) => verdictObjections(name, results, expected) };
    }),
  );
}

/** Starts foreign-server.ts. The profile names only a token and an account with users, because the server has nothing else. */
async function openForeignServer(): ReturnType<KnownServer['open']> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile: Profile = {
    tokens: { full: 'open-sesame', expired: 'not-any-more' },
    accounts: {
      main: '00000000-0000-4000-8000-000000000001',
      hidden: '00000000-0000-4000-8000-000000000002',
      manyUsers: '00000000-0000-4000-8000-000000000001',
    },
  };
  return {
    ...(await profileTarget(profile, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
