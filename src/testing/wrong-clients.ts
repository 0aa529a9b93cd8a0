import type { Provocation } from '../checks/client/provocations.ts';
import type { ClientRuleId } from '../checks/rules.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Kit } from '../kit.ts';
import { ALL_SCOPES, ASSERTION_TYPE, createChallenge } from './oauth-flow.ts';
import { type CorrectClient, createBasicHeader, createRandomString, sleep } from './scripted-client.ts';

export interface ClientScript {
  readonly name: string;
  readonly breaks: readonly ClientRuleId[];
  readonly provoke?: readonly Provocation[];
  readonly wholeLists?: boolean;
  readonly oneSession?: boolean;
  readonly set?: Partial<Decisions>;
  /** The time between two calls, in milliseconds. It replaces the measured time, which depends on the machine's speed. */
  readonly gapMs?: number;
  readonly run: (client: CorrectClient, kit: Kit) => Promise<unknown>;
}

const ASSIGNMENT_TARGET = { targetType: 'PHONE_NUMBER', targetValue: '+12065550103' };

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000001';

/** Each client has one fault. */
export const WRONG_CLIENTS: readonly ClientScript[] = [
  {
    name: 'logs in again for each page of a list',
    breaks: ['client.tokens.cached'],
    async run({ login, send, users }) {
      for (let cursor: unknown; cursor !== null; ) {
        const page = users({ pageSize: '25', ...(cursor !== undefined && { cursor: String(cursor) }) });
        cursor = (await send((await login()).access_token, page)).body.cursor;
      }
    },
  },
  {
    name: 'refreshes its token before each call',
    breaks: ['client.tokens.cached'],
    async run({ login, refresh, send, users }) {
      let tokens = await login();
      for (let call = 0; call < 3; call++) {
        await send(tokens.access_token, users({ pageSize: '1' }));
        tokens = await refresh(tokens.refresh_token);
      }
    },
  },
  {
    name: 'logs in for each call, although all calls belong to one session',
    breaks: ['client.tokens.cached'],
    oneSession: true,
    async run({ login, send, users }) {
      for (let call = 0; call < 4; call++) await send((await login()).access_token, users());
    },
  },
  {
    name: 'logs in for each of several parallel calls, although all calls belong to one session',
    breaks: ['client.tokens.cached'],
    oneSession: true,
    run: ({ login, send, users }) => Promise.all(Array.from({ length: 6 }, async () => send((await login()).access_token, users()))),
  },
  {
    name: 'logs in for each of several parallel calls, twice',
    breaks: ['client.tokens.cached'],
    async run({ login, send, users }) {
      for (let time = 0; time < 2; time++) {
        await Promise.all(Array.from({ length: 6 }, async () => send((await login()).access_token, users())));
        await sleep(50);
      }
    },
  },
  {
    name: 'refreshes its token once for each of several parallel calls',
    breaks: ['client.tokens.cached'],
    async run({ login, refresh, send, users }) {
      const tokens = await login();
      await send(tokens.access_token, users());
      await Promise.all(Array.from({ length: 6 }, () => refresh(tokens.refresh_token)));
    },
  },
  {
    name: 'repeats a request at once after a 503',
    breaks: ['client.unavailable.back-off'],
    provoke: ['outage'],
    gapMs: 1,
    async run({ call, users }) {
      while ((await call(users())).status === 503);
    },
  },
  {
    name: 'ignores Retry-After',
    breaks: ['client.unavailable.back-off'],
    provoke: ['outage'],
    async run({ call, users }) {
      while ((await call(users())).status === 503) await sleep(250);
    },
  },
  {
    name: 'repeats an assignability check at once after a 429',
    breaks: ['limits.assignability.back-off'],
    provoke: ['rate'],
    gapMs: 1,
    async run({ call, check }) {
      while ((await call(check())).status === 429);
    },
  },
  {
    name: 'repeats an assignability check at once after a 429, with the path prefix and another parameter order',
    breaks: ['limits.assignability.back-off'],
    provoke: ['rate'],
    gapMs: 1,
    async run({ call, experienceId, accountId }) {
      await call(`/experiences/${experienceId}/assignability?targetType=ACCOUNT&targetValue=${accountId}`);
      await call(`/experience/experiences/${experienceId}/assignability?targetValue=${accountId}&targetType=ACCOUNT`);
    },
  },
  {
    name: 'sends 150 checks at once',
    breaks: ['limits.assignability.stays-under'],
    gapMs: 1,
    run: ({ call, check }) => Promise.all(Array.from({ length: 150 }, (_, index) => call(check(`+1206555${1000 + index}`)))),
  },
  {
    name: 'repeats a request for users immediately after a 429',
    breaks: ['limits.users.back-off'],
    provoke: ['rate'],
    gapMs: 1,
    async run({ call, users }) {
      while ((await call(users({ pageSize: '1' }))).status === 429);
    },
  },
  {
    name: 'uses code_challenge_method=plain',
    breaks: ['client.pkce.s256'],
    async run({ authorize }) {
      const verifier = createRandomString();
      await authorize({ code_challenge: verifier, code_challenge_method: 'plain' }, verifier);
    },
  },
  {
    name: 'sends no code_challenge',
    breaks: ['client.pkce.s256'],
    run: ({ authorize }) => authorize({ code_challenge: undefined, code_challenge_method: undefined }),
  },
  {
    name: 'exchanges a code without its verifier',
    breaks: ['client.pkce.s256'],
    run: async ({ authorize, exchange }) => exchange(await authorize(), { code_verifier: undefined }),
  },
  {
    name: 'sends a challenge that is not the hash of its verifier',
    breaks: ['client.pkce.s256'],
    run: async ({ authorize, exchange }) => exchange(await authorize({ code_challenge: createChallenge('other') })),
  },
  {
    name: 'uses one verifier for all logins',
    breaks: ['client.pkce.random-verifier'],
    async run({ login }) {
      const verifier = createRandomString();
      for (let time = 0; time < 2; time++) await login({}, verifier);
    },
  },
  {
    name: 'uses a short verifier',
    breaks: ['client.pkce.random-verifier'],
    run: ({ login }) => login({}, 'a-verifier-of-only-32-characters'),
  },
  {
    name: 'pads the time to a verifier',
    breaks: ['client.pkce.random-verifier'],
    run: ({ login }) => login({}, `${Date.now()}`.padStart(43, '0')),
  },
  {
    name: 'uses a verifier with reserved characters',
    breaks: ['client.pkce.random-verifier'],
    run: ({ login }) => login({}, `${createRandomString()}+/=`),
  },
  {
    name: 'uses one state for all logins',
    breaks: ['client.state.fresh'],
    async run({ login }) {
      for (let time = 0; time < 2; time++) await login({ state: 'always-this' });
    },
  },
  { name: 'sends no state', breaks: ['client.state.sent'], run: ({ authorize }) => authorize({ state: undefined }) },
  {
    name: 'exchanges the code from a callback with the wrong state',
    breaks: ['client.state.compared'],
    provoke: ['state'],
    async run({ authorize, exchange }) {
      for (let time = 0; time < 2; time++) await exchange(await authorize());
    },
  },
  {
    name: 'sends a login_hint without the plus sign',
    breaks: ['client.login-hint.e164'],
    run: ({ authorize }) => authorize({ login_hint: '12065550100' }),
  },
  { name: 'sends no login_hint', breaks: ['client.login-hint.e164'], run: ({ authorize }) => authorize({ login_hint: undefined }) },
  {
    name: 'sends both client authentications',
    breaks: ['client.authentication.one-method'],
    run: async ({ authorize, exchange }) =>
      exchange(await authorize(), {
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: 'e30.e30.',
      }),
  },
  {
    name: 'sends no client authentication',
    breaks: ['client.authentication.one-method'],
    run: async ({ authorize, exchange }) => exchange(await authorize(), { client_secret: undefined }),
  },
  {
    name: 'authenticates in the Authorization header',
    breaks: ['client.authentication.one-method'],
    run: async ({ authorize, exchange, clientId }) =>
      exchange(await authorize(), { client_secret: undefined }, createBasicHeader(clientId)),
  },
  {
    name: 'sends a token request as JSON',
    breaks: ['client.token-request.form'],
    async run({ authorize, postTokenRequest, clientId }) {
      const { code, verifier } = await authorize();
      const request = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id: clientId };
      await postTokenRequest(JSON.stringify(request), { 'content-type': 'application/json' });
    },
  },
  {
    name: 'exchanges a code without redirect_uri',
    breaks: ['client.token-request.parameters'],
    run: async ({ authorize, exchange }) => exchange(await authorize(), { redirect_uri: undefined }),
  },
  {
    name: 'exchanges a code with another redirect_uri',
    breaks: ['client.token-request.parameters'],
    run: async ({ authorize, exchange }) => exchange(await authorize(), { redirect_uri: 'http://127.0.0.1:3000/other' }),
  },
  {
    name: 'separates scopes with commas',
    breaks: ['client.authorize.parameters'],
    run: ({ authorize }) => authorize({ scope: ALL_SCOPES.replaceAll(' ', ',') }),
  },
  {
    name: 'sends no redirect_uri',
    breaks: ['client.authorize.parameters'],
    run: ({ authorize }) => authorize({ redirect_uri: undefined }),
  },
  {
    name: 'requests a token from the authorization endpoint',
    breaks: ['client.authorize.parameters'],
    run: ({ authorize }) => authorize({ response_type: 'token' }),
  },
  {
    name: 'requests the connection and assignment scopes without offline_access',
    breaks: ['client.offline-access.requested'],
    run: ({ authorize }) => authorize({ scope: ALL_SCOPES.replace(' offline_access', '') }),
  },
  {
    name: 'requests offline_access without the connection and assignment scopes',
    breaks: ['client.offline-access.with-scopes'],
    run: ({ authorize }) => authorize({ scope: 'users:manage offline_access' }),
  },
  {
    name: 'sends its token again after the 401',
    breaks: ['client.tokens.refreshed-before-expiry'],
    provoke: ['expiry'],
    async run({ call, users }) {
      for (let time = 0; time < 4; time++) await call(users({ pageSize: '1' }));
    },
  },
  {
    name: 'sends its token again with different requests after a 401',
    breaks: ['client.tokens.refreshed-before-expiry'],
    provoke: ['expiry'],
    async run({ call, users }) {
      for (const pageSize of ['1', '2', '3', '4', '5']) await call(users({ pageSize }));
    },
  },
  {
    name: 'sends an empty cursor',
    breaks: ['client.cursor-opaque'],
    run: async ({ login, send, users }) => send((await login()).access_token, users({ cursor: '' })),
  },
  {
    name: 'sends the text null as its first cursor',
    breaks: ['client.cursor-opaque'],
    run: async ({ login, send, users }) => send((await login()).access_token, users({ cursor: 'null' })),
  },
  {
    name: 'refreshes with an old refresh token',
    breaks: ['client.grants-used-once'],
    async run({ login, refresh }) {
      const { refresh_token: old } = await login();
      await refresh(old);
      await sleep(1100);
      await refresh(old);
    },
  },
  {
    name: 'uses its new token, and then refreshes with the old refresh token',
    breaks: ['client.grants-used-once'],
    async run({ login, refresh, send, users }) {
      const { refresh_token: old } = await login();
      const { access_token: token } = await refresh(old);
      await send(token, users());
      await refresh(old);
    },
  },
  {
    name: 'sends its token in the query',
    breaks: ['client.token-in-header', 'client.no-secrets-in-urls'],
    async run({ login, send, users }) {
      const { access_token: token } = await login();
      await send(token, users({ pageSize: '1', access_token: token }));
    },
  },
  {
    name: 'sends its token in another header',
    breaks: ['client.token-in-header'],
    run: async ({ login, raw, users }) => raw(users(), { 'x-access-token': (await login()).access_token }),
  },
  {
    name: 'sends its token without the scheme Bearer',
    breaks: ['client.token-in-header'],
    async run({ login, raw, users }) {
      const { access_token: token } = await login();
      await raw(users(), { authorization: token });
    },
  },
  {
    name: 'sends its code_verifier as the state',
    breaks: ['client.no-secrets-in-urls'],
    async run({ login }) {
      const verifier = createRandomString();
      await login({ state: verifier }, verifier);
    },
  },
  {
    name: 'stores its code_verifier in the state',
    breaks: ['client.no-secrets-in-urls'],
    async run({ login }) {
      const verifier = createRandomString();
      await login({ state: Buffer.from(JSON.stringify({ page: '/', verifier })).toString('base64url') }, verifier);
    },
  },
  {
    name: 'lists users with a token without the scope users:manage',
    breaks: ['client.scopes-requested'],
    async run({ login, send, users }) {
      const { access_token: token } = await login({ scope: ALL_SCOPES.replace('users:manage ', '') });
      await send(token, users());
    },
  },
  {
    name: 'sends read-only fields',
    breaks: ['client.read-only-fields-not-sent'],
    run: ({ call, experienceId, accountId }) => call('/experience/assignments', { experienceId, ...ASSIGNMENT_TARGET, accountId }),
  },
  {
    name: 'combines accountId with targetValue',
    breaks: ['client.listed-filters'],
    run: ({ call, accountId }) => call(`/experience/assignments?accountId=${accountId}&targetType=PHONE_NUMBER&targetValue=%2B12065550100`),
  },
  {
    name: 'sends tn',
    breaks: ['client.telephone-number-not-tn'],
    run: ({ call }) => call('/experience-connections?tn=%2B12065550100'),
  },
  {
    name: 'creates a connection without a check',
    breaks: ['assignability.check-first'],
    run: ({ call, experienceId, accountId }) => call('/experience/connections', { experienceId, accountId }),
  },
  {
    name: 'retries a 422',
    breaks: ['client.no-hopeless-retries'],
    async run({ call, experienceId }) {
      for (let time = 0; time < 3; time++)
        await call('/experience/assignments', { experienceId, targetType: 'USER', targetValue: UNKNOWN_ID });
    },
  },
  {
    name: 'creates an assignment without targetValue',
    breaks: ['client.requests.well-formed'],
    run: ({ call, experienceId }) => call('/experience/assignments', { experienceId, targetType: 'PHONE_NUMBER' }),
  },
  {
    name: 'sends a number without the plus sign',
    breaks: ['client.requests.well-formed'],
    run: ({ call, check }) => call(check('12065550103')),
  },
  {
    name: 'does not encode the plus sign of a number',
    breaks: ['client.requests.well-formed'],
    async run({ call, check }) {
      await call(check());
      await call(check().replace('%2B', '+'));
    },
  },
  {
    name: 'lists the assignments of an Experience without accountId',
    breaks: ['client.requests.well-formed'],
    async run({ call, accountId, experienceId }) {
      await call(`/experience/assignments?accountId=${accountId}`);
      await call(`/experience/assignments?experienceId=${experienceId}`);
    },
  },
  {
    name: 'requests a path that does not exist',
    breaks: ['client.requests.well-formed'],
    run: ({ call, accountId }) => call(`/experience/users?accountId=${accountId}`),
  },
  {
    name: 'requests 200 connections at a time',
    breaks: ['client.page-size.in-range'],
    run: ({ call, accountId }) => call(`/experience-connections?accountId=${accountId}&pageSize=200`),
  },
  {
    name: 'requests 0 assignments at a time from a server that allows it',
    breaks: ['client.page-size.in-range'],
    set: { 'assignments.list.page-size-out-of-range': 'clamped' },
    run: ({ call, accountId }) => call(`/experience-assignments?accountId=${accountId}&pageSize=0`),
  },
  {
    name: 'does not encode a cursor',
    breaks: ['client.cursor-opaque'],
    async run({ call, users }) {
      const { cursor } = (await call(users({ pageSize: '1' }))).body;
      await call(`${users({ pageSize: '1' })}&cursor=${String(cursor)}`);
    },
  },
  {
    name: 'changes a character of a cursor',
    breaks: ['client.cursor-opaque'],
    async run({ call, users }) {
      const { cursor } = (await call(users({ pageSize: '1' }))).body;
      await call(users({ pageSize: '1', cursor: `${cursor}A` }));
    },
  },
  {
    name: 'changes sortOrder together with a cursor',
    breaks: ['client.restart-without-cursor'],
    async run({ call, users }) {
      const { cursor } = (await call(users({ pageSize: '1' }))).body;
      await call(users({ pageSize: '1', sortOrder: 'desc', cursor: String(cursor) }));
    },
  },
  {
    name: 'sends a refused cursor again',
    breaks: ['client.refused-cursor-restarts'],
    provoke: ['cursor'],
    async run({ call, users }) {
      const cursor = String((await call(users({ pageSize: '1' }))).body.cursor);
      for (let time = 0; time < 2; time++) await call(users({ pageSize: '1', cursor }));
    },
  },
  {
    name: 'stops after one page although it needs whole lists',
    breaks: ['client.traversal-until-null'],
    wholeLists: true,
    run: ({ call, users }) => call(users({ pageSize: '2' })),
  },
  {
    name: 'takes a refused cursor for the end of the list although it needs whole lists',
    breaks: ['client.traversal-until-null'],
    provoke: ['cursor'],
    wholeLists: true,
    async run({ call, users }) {
      const { cursor } = (await call(users({ pageSize: '1' }))).body;
      await call(users({ pageSize: '1', cursor: String(cursor) }));
    },
  },
  {
    name: 'stops after one page of assignments although it needs whole lists',
    breaks: ['client.traversal-until-null'],
    wholeLists: true,
    run: ({ call, accountId }) => call(`/experience/assignments?accountId=${accountId}&pageSize=1`),
  },
  {
    name: 'stops at a page that is not full although it needs whole lists',
    breaks: ['client.traversal-until-null'],
    provoke: ['pages'],
    wholeLists: true,
    async run({ call, accountId }) {
      for (let cursor = ''; ; ) {
        const { body } = await call(`/experience/assignments?accountId=${accountId}&pageSize=2${cursor}`);
        if ((body.entities as unknown[]).length < 2) break;
        cursor = `&cursor=${encodeURIComponent(String(body.cursor))}`;
      }
    },
  },
];
