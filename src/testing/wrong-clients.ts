import type { Provocation } from '../checks/client/provocations.ts';
import type { ClientRuleId } from '../checks/rules.ts';
import type { Kit } from '../kit.ts';
import { ALL_SCOPES, ASSERTION_TYPE, createChallenge } from './oauth-flow.ts';
import { type CorrectClient, createRandomString } from './scripted-client.ts';

export interface ClientScript {
  readonly name: string;
  readonly breaks: readonly ClientRuleId[];
  readonly provoke?: readonly Provocation[];
  readonly wholeLists?: boolean;
  /** The time between two calls, in milliseconds. It replaces the measured time, which depends on the machine's speed. */
  readonly gapMs?: number;
  readonly run: (client: CorrectClient, kit: Kit) => Promise<unknown>;
}

const ASSIGNMENT_TARGET = { targetType: 'PHONE_NUMBER', targetValue: '+12065550103' };

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
        await call('/experience/assignments', { experienceId, targetType: 'PHONE_NUMBER', targetValue: '12' });
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
];
