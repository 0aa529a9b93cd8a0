import { hasCode } from '../actors/oauth-flow.ts';
import { ASSERTION_TYPE, signAssertion } from '../actors/oauth-parameters.ts';
import { getDecisionQuestion, observe } from '../expect/observed.ts';
import { parseAccessToken } from '../expect/token.ts';
import { test } from '../runner/test.ts';

test(getDecisionQuestion('oauth.login-hint'), async ({ oauth }) => {
  const flow = await oauth.openVerifiedFlow();
  const areAccepted = [];
  for (const login_hint of [undefined, 'nobody']) {
    const authorization = await flow.authorize({ login_hint });
    // access_denied means that the request was accepted and the user denied access.
    areAccepted.push(hasCode(authorization) || authorization.callback?.searchParams.get('error') === 'access_denied');
  }
  if (new Set(areAccepted).size === 1) observe('oauth.login-hint', areAccepted[0] ? 'ignored' : 'refused');
});

test(getDecisionQuestion('oauth.unknown-scope'), async ({ oauth }) => {
  const authorization = await (await oauth.openVerifiedFlow()).authorize({ scope: 'users:manage no-such-scope' });
  observe('oauth.unknown-scope', hasCode(authorization) ? 'ignored' : 'refused');
});

test(getDecisionQuestion('oauth.offline-access-alone'), async ({ oauth }) => {
  const authorization = await (await oauth.openVerifiedFlow()).authorize({ scope: 'users:manage offline_access' });
  observe('oauth.offline-access-alone', hasCode(authorization) ? 'granted' : 'refused');
});

test(getDecisionQuestion('oauth.client-basic'), async ({ oauth, need }) => {
  const { id, secret } = await need('oauth.secret-client');
  const flow = await oauth.openVerifiedFlow('secret');
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64');
  const answer = await flow.exchangeCode(await flow.requestCode(), { client_secret: undefined }, { authorization: `Basic ${basic}` });
  observe('oauth.client-basic', parseAccessToken(answer) === undefined ? 'refused' : 'accepted');
});

test(getDecisionQuestion('oauth.refresh'), async ({ oauth }) => {
  const flow = await oauth.openVerifiedFlow();
  const readRefreshToken = (json: unknown) => (json as { refresh_token?: unknown } | undefined)?.refresh_token;
  const { answer } = await flow.requestTokens({ scope: 'experience-connections:manage experience-assignments:manage offline_access' });
  const first = readRefreshToken(answer.json);
  if (typeof first !== 'string') return observe('oauth.refresh', 'none');
  const { clientId, authentication } = flow.client;
  const parameters = { grant_type: 'refresh_token', refresh_token: first, client_id: clientId };
  const refreshed = await flow.requestToken({ ...parameters, ...(await authentication()) });
  if (parseAccessToken(refreshed) === undefined) return;
  observe('oauth.refresh', (readRefreshToken(refreshed.json) ?? first) === first ? 'kept' : 'rotated');
});

test(getDecisionQuestion('oauth.other-grants'), async ({ oauth }) => {
  const flow = await oauth.openVerifiedFlow();
  const { clientId, authentication } = flow.client;
  const parameters = { grant_type: 'client_credentials', client_id: clientId, scope: 'users:manage' };
  const answer = await flow.requestToken({ ...parameters, ...(await authentication()) });
  observe('oauth.other-grants', parseAccessToken(answer) === undefined ? 'refused' : 'client-credentials');
});

test(getDecisionQuestion('oauth.code-reuse'), async ({ oauth, api, need }) => {
  const accountId = await need('account.any');
  const { accessToken: token, granted } = await (await oauth.openVerifiedFlow()).requestTokens();
  const useAccessToken = async () => (await api.call('getUsers', { token, query: { accountId } })).status;
  const before = await useAccessToken();
  const flow = await oauth.openFlow();
  if (parseAccessToken(await flow.exchangeCode(granted)) !== undefined || before === 401) return;
  const after = await useAccessToken();
  if (after === before || after === 401) observe('oauth.code-reuse', after === 401 ? 'revoked' : 'kept');
});

test(getDecisionQuestion('oauth.error-body'), async ({ oauth }) => {
  const flow = await oauth.openVerifiedFlow();
  const { json, headers } = await flow.exchangeCode(await flow.requestCode(), { code_verifier: undefined });
  const { error } = Object(json) as { error?: unknown };
  const isProblem = /^application\/problem\+json/i.test(headers['content-type'] ?? '');
  observe('oauth.error-body', isProblem ? 'problem' : typeof error === 'string' ? 'rfc6749' : undefined);
});

test(getDecisionQuestion('oauth.access-token-lifetime'), async ({ oauth }) => {
  const { answer } = await (await oauth.openFlow()).requestTokens();
  const { expires_in: seconds } = answer.json as { expires_in?: unknown };
  observe('oauth.access-token-lifetime', typeof seconds === 'number' ? seconds : undefined);
});

test(getDecisionQuestion('oauth.assertion.replay'), async ({ oauth, need }) => {
  const flow = await oauth.openVerifiedFlow('key');
  const assertion = { client_assertion_type: ASSERTION_TYPE, client_assertion: await signAssertion(await need('oauth.key-client')) };
  if (parseAccessToken(await flow.exchangeCode(await flow.requestCode(), assertion)) === undefined) return;
  const again = await flow.exchangeCode(await flow.requestCode(), assertion);
  observe('oauth.assertion.replay', parseAccessToken(again) === undefined ? 'refused' : 'accepted');
});

test(getDecisionQuestion('oauth.assertion.audience'), async ({ oauth, need }) => {
  const flow = await oauth.openVerifiedFlow('key');
  const client = await need('oauth.key-client');
  const [, issuer] = /^(.+)\/oauth\/token$/.exec(client.audience) ?? [];
  // The issuer is known only if the audience ends with /oauth/token.
  if (issuer === undefined) return;
  const isAudienceAccepted = async (aud: string | string[]) =>
    parseAccessToken(await flow.exchangeCode(await flow.requestCode(), { client_assertion: await signAssertion(client, { aud }) })) !==
    undefined;
  const acceptsIssuer = await isAudienceAccepted(issuer);
  const acceptsOthers = await isAudienceAccepted([client.audience, 'https://another-authorization-server.invalid']);
  if (acceptsOthers && !acceptsIssuer) return;
  observe('oauth.assertion.audience', acceptsOthers ? 'also-others' : acceptsIssuer ? 'issuer-or-token-endpoint' : 'token-endpoint');
});

const MAX_LIFETIME_S = 600;

// This check advances the target's clock, so no other check may run at the same time.
test(getDecisionQuestion('oauth.code-lifetime'), { lock: '-exclusive-' }, async ({ oauth, need }) => {
  const advance = await need('clock.advance');
  const flow = await oauth.openVerifiedFlow();
  const isValidAfter = async (seconds: number): Promise<boolean> => {
    const granted = await flow.requestCode();
    await advance(seconds * 1000);
    return parseAccessToken(await flow.exchangeCode(granted)) !== undefined;
  };
  if (await isValidAfter(MAX_LIFETIME_S)) return;
  // Find the code's lifetime in seconds with a binary search.
  let [valid, invalid] = [0, MAX_LIFETIME_S];
  while (invalid - valid > 1) {
    const middle = Math.floor((valid + invalid) / 2);
    if (await isValidAfter(middle)) valid = middle;
    else invalid = middle;
  }
  observe('oauth.code-lifetime', invalid);
});
