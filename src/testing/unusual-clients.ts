import assert from 'node:assert/strict';
import { ALL_PROVOCATIONS } from '../checks/client/provocations.ts';
import type { ClientRuleId } from '../checks/rules.ts';
import { ASSERTION_TYPE, createAssertion } from './oauth-flow.ts';
import { createBasicHeader, createCorrectClient, createRandomString, sleep } from './scripted-client.ts';
import type { ClientScript } from './wrong-clients.ts';

interface CorrectClientScript extends Omit<ClientScript, 'breaks'> {
  readonly passes?: readonly ClientRuleId[] | 'all other rules';
  readonly notExercised?: readonly ClientRuleId[];
}

export const CORRECT_CLIENTS: readonly CorrectClientScript[] = [
  {
    name: 'reacts correctly to every provocation',
    passes: 'all other rules',
    // The client refreshes its token only after a 401, and does not change the parameters of a list.
    notExercised: ['client.tokens.refreshed-before-expiry', 'client.restart-without-cursor'],
    provoke: ALL_PROVOCATIONS,
    async run({ login, refresh, send, check, users, experienceId, accountId }) {
      let tokens = await login().catch(() => login());
      const pauses: Readonly<Record<number, number>> = { 401: 0, 429: 250, 503: 250 };
      async function call(path: string, body?: object) {
        for (let attempt = 0; ; attempt++) {
          const response = await send(tokens.access_token, path, body);
          const pauseMs = pauses[response.status];
          if (pauseMs === undefined) return response;
          if (response.status === 401) tokens = await refresh(tokens.refresh_token);
          await sleep(pauseMs * 2 ** attempt);
        }
      }
      await call(check());
      await call('/experience/connections', { experienceId, accountId });
      await call('/experience/assignments', { experienceId, targetType: 'PHONE_NUMBER', targetValue: '+12065550103' });
      await call('/experience-connections?telephoneNumber=%2B12065550100');
      await call('/experience-assignments?targetType=PHONE_NUMBER&targetValue=%2B12065550103');
      for (let cursor: unknown; cursor !== null; ) {
        const page = await call(users({ pageSize: '100', ...(cursor !== undefined && { cursor: String(cursor) }) }));
        // If a cursor is refused, starts again.
        cursor = page.status === 200 ? page.body.cursor : undefined;
      }
    },
  },
  {
    name: 'alternates between two credentials',
    async run({ login, send, users }, kit) {
      const other = await createCorrectClient(kit, 'acme-worker-1');
      const tokens = [await login(), await other.login()];
      for (const { access_token: token } of [...tokens, ...tokens, ...tokens]) await send(token, users({ pageSize: '1' }));
    },
  },
  {
    name: 'sends 80 equal checks at once, and repeats no refused check',
    provoke: ['rate'],
    run: ({ call, check }) => Promise.all(Array.from({ length: 80 }, () => call(check()))),
  },
  {
    name: 'sends two equal checks in parallel, and sends the check again later if one is refused',
    provoke: ['rate'],
    async run({ call, check }) {
      const answers = await Promise.all([call(check()), call(check())]);
      await sleep(50);
      if (answers.some(({ status }) => status === 429)) await call(check());
    },
  },
  {
    name: 'refreshes its token early',
    passes: ['client.tokens.cached', 'client.tokens.refreshed-before-expiry'],
    async run({ login, refresh, send, users }) {
      const first = await login();
      for (let call = 0; call < 3; call++) await send(first.access_token, users({ pageSize: '1' }));
      const second = await refresh(first.refresh_token);
      await send(second.access_token, users({ pageSize: '1' }));
    },
  },
  {
    name: 'logs in several users, and sends several requests for each',
    passes: ['client.tokens.cached'],
    notExercised: ['client.tokens.refreshed-before-expiry'],
    async run({ login, send, users }) {
      for (let user = 0; user < 4; user++) {
        const { access_token: token } = await login();
        for (let call = 0; call < 2; call++) await send(token, users({ pageSize: '1' }));
      }
    },
  },
  {
    name: 'logs in for each of its tests, and sends one request in each test',
    notExercised: ['client.tokens.cached'],
    async run({ login, refresh, send, users }) {
      for (let test = 0; test < 6; test++) {
        const tokens = await login();
        await send(tokens.access_token, users({ pageSize: '1' }));
        if (test % 2 === 0) await send((await refresh(tokens.refresh_token)).access_token, users({ pageSize: '2' }));
      }
    },
  },
  {
    name: 'sends one request an hour, and refreshes its token before each request',
    passes: ['client.tokens.refreshed-before-expiry'],
    notExercised: ['client.tokens.cached'],
    async run({ login, refresh, send, users }, kit) {
      let tokens = await login();
      for (let hour = 0; hour < 3; hour++) {
        await send(tokens.access_token, users({ pageSize: '1' }));
        await kit.clock.advance('58m');
        tokens = await refresh(tokens.refresh_token);
      }
    },
  },
  {
    name: 'has several workers, each with its own token',
    async run({ login, send, users }) {
      const workers = await Promise.all(Array.from({ length: 5 }, () => login()));
      await Promise.all(workers.map(({ access_token: token }) => send(token, users({ pageSize: '1' }))));
    },
  },
  {
    name: 'sends an authorization request twice, like a browser that reloads the page',
    passes: ['client.pkce.s256'],
    notExercised: ['client.pkce.random-verifier', 'client.state.fresh'],
    async run({ authorize, exchange }) {
      const [verifier, state] = [createRandomString(), createRandomString()];
      await authorize({ state }, verifier);
      await exchange(await authorize({ state }, verifier));
    },
  },
  {
    name: 'alternates between two lists, and changes the page size between pages',
    passes: ['client.cursor-opaque', 'client.restart-without-cursor'],
    async run({ call, users }) {
      const cursors: Record<string, string> = {};
      for (const pageSize of ['2', '3', '1'])
        for (const sortOrder of ['asc', 'desc']) {
          const cursor = cursors[sortOrder];
          const page = await call(users({ sortOrder, pageSize, ...(cursor && { cursor }) }));
          cursors[sortOrder] = String(page.body.cursor);
        }
    },
  },
  {
    name: 'reads one small page',
    run: ({ call, users }) => call(users({ pageSize: '10' })),
  },
  {
    name: 'needs only the count of a list',
    notExercised: ['client.traversal-until-null'],
    run: ({ call, users }) => call(users()),
  },
  {
    name: 'sends equal requests in parallel, and after a 401 repeats one of the requests with a new token',
    provoke: ['expiry'],
    async run({ login, refresh, send, users }) {
      const tokens = await login();
      const answers = await Promise.all(Array.from({ length: 12 }, () => send(tokens.access_token, users({ pageSize: '1' }))));
      assert.ok(answers.some(({ status }) => status === 401));
      await send((await refresh(tokens.refresh_token)).access_token, users({ pageSize: '1' }));
    },
  },
  {
    name: 'tests that a request without a token gets 401',
    passes: ['client.token-in-header'],
    async run({ call, raw, users }) {
      await raw(users(), {});
      await call(users());
    },
  },
  {
    name: 'exchanges a code that another program requested',
    notExercised: ['client.pkce.s256'],
    run: ({ exchange }) => exchange({ code: createRandomString(), verifier: createRandomString() }),
  },
  {
    name: 'authenticates in the Authorization header, if the server allows it',
    notExercised: ['client.authentication.one-method'],
    set: { 'oauth.client-basic': 'accepted' },
    async run({ authorize, exchange, clientId }) {
      await exchange(await authorize(), { client_secret: undefined, client_id: undefined }, createBasicHeader(clientId));
    },
  },
  {
    name: 'repeats a check a few milliseconds after a 429',
    notExercised: ['limits.assignability.back-off'],
    provoke: ['rate'],
    gapMs: 30,
    async run({ call, check }) {
      while ((await call(check())).status === 429);
    },
  },
  {
    name: 'polls for a user until the user exists',
    async run({ call }) {
      for (let attempt = 0; attempt < 3; attempt++) {
        await call('/users/00000000-0000-4000-8000-000000000001');
        await sleep(30);
      }
    },
  },
  {
    name: 'sends a signed state',
    passes: ['client.no-secrets-in-urls'],
    run: ({ login }) => login({ state: `eyJhbGciOiJFUzI1NiJ9.${createRandomString()}.${createRandomString()}` }),
  },
  {
    name: 'sends a number that its user has entered wrong, and then the right one',
    async run({ call, check }) {
      await call(check('0206'));
      await call(check());
    },
  },
  {
    name: 'refreshes its token in two places at once',
    async run({ login, refresh, send, users }) {
      const tokens = await login();
      await send(tokens.access_token, users());
      await Promise.all([refresh(tokens.refresh_token), refresh(tokens.refresh_token)]);
    },
  },
  {
    name: 'authenticates with an assertion',
    passes: ['client.pkce.s256', 'client.authentication.one-method', 'client.tokens.cached'],
    async run(_, kit) {
      const { authorize, exchange, send, users } = await createCorrectClient(kit, 'acme-either');
      const assertion = await createAssertion('acme-either', kit.authUrl);
      const authentication = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
      const { access_token: token } = await exchange(await authorize(), authentication);
      for (let call = 0; call < 2; call++) await send(token, users({ pageSize: '1' }));
    },
  },
];
