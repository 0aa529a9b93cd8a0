import assert from 'node:assert/strict';
import {
  ALL_SCOPES,
  ASSERTION_TYPE,
  type Changes,
  type FlowClient,
  flow,
  privateJwk,
  signedAssertion,
  type TokenAnswer,
} from '../../../oauth/server/testing/flow.ts';
import type { Lab } from '../lab.ts';
import { idOf } from '../world.ts';
import type { Check, Variants } from './variant.ts';

const KEY = 'acme-either';

/** A client of the test's own that may authenticate either way, on behalf of whoever manages the account stage. */
async function made(lab: Lab): Promise<FlowClient> {
  const { d: _, ...publicKey } = privateJwk(KEY);
  const secret = 'secret-of-a-test';
  const { data, error } = await lab.control.POST('/_control/state/{collection}', {
    params: { path: { collection: 'clients' } },
    body: { provider: 'acme', name: 'Of a test', secret, publicKey, redirectUris: ['http://127.0.0.1:3000/callback'] } as never,
  });
  return {
    id: String((data as { id?: string } | undefined)?.id ?? assert.fail(JSON.stringify(error))),
    secret,
    loginHint: '+442079460105',
  };
}

async function client(lab: Lab) {
  const who = await made(lab);
  const own = flow(lab.kit.authUrl, who);
  return {
    ...own,
    ...who,
    assertion: async (audience: string, ...others: string[]) =>
      signedAssertion(who.id, audience, others.length > 0 ? { aud: [audience, ...others] } : {}, KEY),
    proof: (assertion: string): Changes => ({
      client_secret: undefined,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
    }),
    /** Where an authorization request ends: a code, or an error. */
    async asked(changes: Changes): Promise<string> {
      const { location } = await own.authorize(changes);
      return location?.searchParams.get('error') ?? (location?.searchParams.has('code') ? 'code' : 'nowhere');
    },
  };
}

/** The status of a call with a token that it takes any. */
async function status(lab: Lab, token: unknown): Promise<number> {
  const answer = await lab.send('GET', `/experience/assignments?accountId=${idOf('accounts', 'stage')}`, {
    token: { text: String(token) },
  });
  return answer.response.status;
}

/** What an error was, whichever way it is told (decision oauth.error-body). */
const errorOf = ({ body }: TokenAnswer): string => String(body.error ?? /\((\w+)\)$/.exec(String(body.title))?.[1]);

const used =
  (expected: 200 | 401): Check =>
  async (lab) => {
    const { assertion, code, exchange, proof } = await client(lab);
    const proved = proof(await assertion(`${lab.kit.authUrl}/oauth/token`));
    assert.equal((await exchange(await code(), proved)).status, 200);
    assert.equal((await exchange(await code(), proved)).status, expected);
  };
const audience =
  (ofIssuer: 200 | 401, alsoOthers: 200 | 401): Check =>
  async (lab) => {
    const { assertion, code, exchange, proof } = await client(lab);
    const { authUrl } = lab.kit;
    assert.equal((await exchange(await code(), proof(await assertion(authUrl)))).status, ofIssuer);
    assert.equal((await exchange(await code(), proof(await assertion(`${authUrl}/oauth/token`)))).status, 200);
    assert.equal((await exchange(await code(), proof(await assertion('https://other.example')))).status, 401);
    const several = await assertion(`${authUrl}/oauth/token`, 'https://other.example');
    assert.equal((await exchange(await code(), proof(several))).status, alsoOthers);
  };
const basic =
  (expected: 200 | 401): Check =>
  async (lab) => {
    const { id, secret, code, exchange } = await client(lab);
    const by = (password: string) => ({ authorization: `Basic ${btoa(`${id}:${password}`)}` });
    const none = { client_secret: undefined };
    assert.equal((await exchange(await code(), none, by(secret))).status, expected);
    for (const password of ['wrong-secret', `${secret}\0`]) {
      const wrong = await exchange(await code(), none, by(password));
      assert.equal(wrong.status, 401);
      assert.match(wrong.headers.get('www-authenticate') ?? '', /^Basic /);
    }
    assert.notEqual((await exchange(await code(), {}, by(secret))).status, 200);
  };
const reuse =
  (afterwards: 200 | 401): Check =>
  async (lab) => {
    const { code, exchange } = await client(lab);
    const given = await code();
    const { body } = await exchange(given);
    assert.equal(errorOf(await exchange(given)), 'invalid_grant');
    assert.equal(await status(lab, body.access_token), afterwards);
  };

/** Open points of the authorization server. */
export const ofAuthorization = {
  'oauth.assertion.audience': {
    'issuer-or-token-endpoint': audience(200, 401),
    'token-endpoint': audience(401, 401),
    'also-others': audience(200, 200),
  },
  'oauth.assertion.replay': { refused: used(401), accepted: used(200) },
  'oauth.client-basic': { refused: basic(401), accepted: basic(200) },
  'oauth.unknown-scope': {
    refused: async (lab) => assert.equal(await (await client(lab)).asked({ scope: 'users:manage openid' }), 'invalid_scope'),
    ignored: async (lab) => {
      const { asked, tokens } = await client(lab);
      assert.equal((await tokens({ scope: 'openid users:manage' })).scope, 'users:manage');
      assert.equal(await asked({ scope: 'openid' }), 'invalid_scope');
    },
  },
  'oauth.login-hint': {
    refused: async (lab) => {
      const { asked } = await client(lab);
      for (const login_hint of [undefined, '123']) assert.equal(await asked({ login_hint }), 'invalid_request');
    },
    ignored: async (lab) => {
      const { asked } = await client(lab);
      for (const login_hint of [undefined, '123']) assert.equal(await asked({ login_hint }), 'code');
    },
  },
  'oauth.refresh': {
    rotated: async (lab) => {
      const { tokens, refresh } = await client(lab);
      const { refresh_token: first } = await tokens();
      const { body } = await refresh(first);
      assert.notEqual(body.refresh_token, first);
      assert.equal(errorOf(await refresh(first)), 'invalid_grant');
      assert.equal(errorOf(await refresh(body.refresh_token)), 'invalid_grant');
    },
    kept: async (lab) => {
      const { tokens, refresh } = await client(lab);
      const { refresh_token: first } = await tokens();
      for (let i = 0; i < 2; i++) {
        const { body } = await refresh(first);
        assert.equal(body.refresh_token, first);
        assert.equal(await status(lab, body.access_token), 200);
      }
    },
    none: async (lab) => {
      const { asked, tokens, refresh } = await client(lab);
      const { refresh_token: token, scope } = await tokens();
      assert.deepEqual([token, scope], [undefined, ALL_SCOPES.replace(' offline_access', '')]);
      assert.equal(await asked({ scope: 'offline_access' }), 'invalid_scope');
      assert.equal(errorOf(await refresh('any')), 'unsupported_grant_type');
    },
  },
  'oauth.other-grants': {
    refused: async (lab) => assert.equal(errorOf(await ownToken(lab, {})), 'unsupported_grant_type'),
    'client-credentials': async (lab) => {
      const { body } = await ownToken(lab, {});
      assert.deepEqual(Object.keys(body).toSorted(), ['access_token', 'expires_in', 'scope', 'token_type']);
      const claims = JSON.parse(Buffer.from(String(body.access_token).split('.')[1]!, 'base64url').toString());
      assert.equal(claims.sub, claims.client_id);
      assert.ok(!Object.keys(claims).some((name) => name.endsWith(':principal_id')));
      assert.equal(await status(lab, body.access_token), 200);
      assert.equal(errorOf(await ownToken(lab, { client_secret: 'wrong-secret' })), 'invalid_client');
      assert.equal(errorOf(await ownToken(lab, { scope: undefined })), 'invalid_scope');
    },
  },
  'oauth.code-reuse': { revoked: reuse(401), kept: reuse(200) },
  'oauth.error-body': {
    rfc6749: async (lab) => {
      const { headers, body } = await (await client(lab)).exchange('unknown');
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(body.error, 'invalid_grant');
    },
    problem: async (lab) => {
      const { authorize, exchange } = await client(lab);
      const { status: answered, headers, body } = await exchange('unknown');
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.deepEqual([answered, body.status, body.error], [400, 400, undefined]);
      assert.match(String(body.traceId), /^[0-9a-f]{32}$/);
      assert.match(String(body.detail), /no such code/);
      assert.equal(JSON.parse((await authorize({ client_id: 'nobody' })).body).status, 400);
      assert.equal((await authorize({ scope: undefined })).location?.searchParams.get('error'), 'invalid_scope');
    },
  },
  'oauth.offline-access-alone': {
    granted: async (lab) => {
      // Where the kit has no refresh tokens, this scope gives nothing whatever it comes with.
      const expected = lab.kit.decisions['oauth.refresh'] === 'none' ? 'invalid_scope' : 'code';
      assert.equal(await (await client(lab)).asked({ scope: 'offline_access' }), expected);
    },
    refused: async (lab) => {
      const { asked } = await client(lab);
      assert.equal(await asked({ scope: 'users:manage offline_access' }), 'invalid_scope');
      assert.equal(await asked({ scope: 'offline_access experience-assignments:manage experience-connections:manage' }), 'code');
    },
  },
} satisfies Variants;

/** A token that no user authorized. */
async function ownToken(lab: Lab, changes: Changes): Promise<TokenAnswer> {
  const { id, secret, token } = await client(lab);
  const request: Changes = {
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
    scope: 'experience-assignments:manage',
    ...changes,
  };
  return token(Object.fromEntries(Object.entries(request).filter((entry): entry is [string, string] => entry[1] !== undefined)));
}
