import assert from 'node:assert/strict';
import { done, ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { ASSIGNMENTS, CONNECTIONS, experience } from '../steps.ts';
import { idOf, NOBODY } from '../world.ts';
import { byStatus, type Variants } from './variant.ts';

const STAGE = idOf('accounts', 'stage');
const users = (lab: Lab, search: string, token: 'full' | 'no-principal-no-users' = 'full') =>
  lab.send('GET', `/users?${search}`, { token });
const asText = (lab: Lab) => lab.send('POST', CONNECTIONS, { token: 'full', headers: { 'content-type': 'text/plain' }, body: {} });
const withMore = (lab: Lab) => {
  const body = { accountId: lab.room().accountId, experienceId: experience('general'), id: NOBODY, shoeSize: 42 };
  return lab.send('POST', CONNECTIONS, { token: 'full', body });
};
const twice = (lab: Lab) => users(lab, `accountId=${STAGE}&accountId=${NOBODY}`);
const countOf = async (lab: Lab) => ((await ok(twice(lab))) as { entities: unknown[] }).entities.length;

/** Open points of every request. */
export const ofRequests = {
  'auth.missing-scope': byStatus([403, 401], async (lab, status) => {
    const query = { params: { query: { accountId: STAGE } } };
    await refused(lab.api('no-assignments').GET(ASSIGNMENTS, query), status, 'auth.missing-scope');
    await refused(lab.api('no-connections').GET(CONNECTIONS, query), status, 'auth.missing-scope');
  }),
  'http.body.content-type': {
    'as-malformed': async (lab) => void (await refused(asText(lab), 400, 'connections.create.malformed')),
    415: async (lab) => void (await refused(asText(lab), 415, 'http.unsupported-media-type')),
  },
  'http.body.read-only-fields': {
    ignored: async (lab) => assert.notEqual(((await ok(withMore(lab))) as { id: string }).id, NOBODY),
    422: async (lab) => void (await refused(withMore(lab), 422, 'connections.create.invalid-value')),
  },
  'http.query.unknown-parameter': {
    ignored: async (lab) => void (await ok(users(lab, `accountId=${STAGE}&shoeSize=42`))),
    400: async (lab) => void (await refused(users(lab, `accountId=${STAGE}&shoeSize=42`), 400, 'http.unknown-parameter')),
  },
  'http.query.duplicate-parameter': {
    400: async (lab) => void (await refused(twice(lab), 400, 'http.duplicate-parameter')),
    first: async (lab) => assert.notEqual(await countOf(lab), 0),
    last: async (lab) => assert.equal(await countOf(lab), 0),
  },
  'http.uuid-letter-case': {
    accepted: async (lab) => {
      await ok(users(lab, `accountId=${STAGE.toUpperCase()}`));
      await ok(lab.send('GET', `/users/${idOf('users', 'ada').toUpperCase()}`, { token: 'full' }));
    },
    refused: async (lab) => {
      const { detail } = await refused(users(lab, `accountId=${STAGE.toUpperCase()}`), 400, 'users.list.account-id-uuid');
      assert.match(detail ?? '', /^accountId must be a UUID in lower case such as /);
      await refused(lab.send('GET', `/users/${idOf('users', 'ada').toUpperCase()}`, { token: 'full' }), 404, 'users.get.not-found');
      const body = { accountId: STAGE.toUpperCase(), experienceId: experience('general') };
      const { errors } = await refused(lab.api('full').POST(CONNECTIONS, { body }), 422, 'connections.create.invalid-value');
      assert.match(errors?.[0]?.message ?? '', /^must be a UUID in lower case such as /);
      const target = { targetType: 'ACCOUNT', targetValue: STAGE.toUpperCase() } as const;
      await refused(
        lab.api('full').POST(ASSIGNMENTS, { body: { experienceId: experience('general'), ...target } }),
        422,
        'assignments.create.target-value-format',
      );
      const hidden = { experienceId: experience('general').toUpperCase(), targetType: 'ACCOUNT', targetValue: STAGE } as const;
      const { response } = await lab.api('full').POST(ASSIGNMENTS, { body: hidden });
      assert.ok(response.status >= 400);
    },
  },
  'users.token-without-claim-and-scope': byStatus([401, 403], (lab, status) =>
    refused(users(lab, `accountId=${STAGE}`, 'no-principal-no-users'), status, 'users.token-without-claim-and-scope'),
  ),
  'users.list.count-hidden-account': {
    zero: async (lab) => assert.equal(((await ok(users(lab, `accountId=${NOBODY}`))) as { count?: number }).count, 0),
    absent: async (lab) => assert.ok(!('count' in (await ok(users(lab, `accountId=${NOBODY}`))))),
  },
  'users.list.sort-fields': {
    all: async (lab) => void (await ok(users(lab, `accountId=${STAGE}&sortBy=lastName`))),
    createdAt: async (lab) => {
      for (const other of ['lastName', 'firstName', 'updatedAt'])
        await refused(users(lab, `accountId=${STAGE}&sortBy=${other}`), 400, 'users.list.sort-by-allowed');
      await ok(users(lab, `accountId=${STAGE}&sortBy=createdAt&sortOrder=desc`));
    },
  },
  'users.native-id.ambiguous': {
    'legacy-numeric': async (lab) => assert.equal(await firstNameOf(lab, '4815162342'), 'Castor'),
    base62: async (lab) => {
      assert.equal(await firstNameOf(lab, '4815162342'), 'Pollux');
      assert.equal(await firstNameOf(lab, '2065550001'), 'Ada');
    },
  },
} as const satisfies Variants;

const firstNameOf = async (lab: Lab, userId: string) =>
  (await ok(lab.api('full').GET('/users/{userId}', { params: { path: { userId } } }))).firstName;

export const deleted = (lab: Lab, experienceConnectionId: string, status: number) =>
  done(
    lab.api('full').DELETE('/experience/connections/{experienceConnectionId}', { params: { path: { experienceConnectionId } } }),
    status,
  );
