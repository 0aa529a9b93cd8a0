import { hasCode } from '../actors/oauth-client.ts';
import { ASSERTION_TYPE, signAssertion } from '../actors/oauth-parameters.ts';
import { observe, questionOf } from '../expect/observed.ts';
import { accessTokenOf } from '../expect/token.ts';
import { test } from '../runner/test.ts';

const ALL_FOR_REFRESH = 'experience-connections:manage experience-assignments:manage offline_access';

test(questionOf('oauth.login-hint'), async ({ oauth }) => {
  const flow = await oauth.proven();
  const seen = [];
  for (const login_hint of [undefined, 'nobody']) {
    const asked = await flow.authorize({ login_hint });
    // Whoever was asked instead may have said no: that is no refusal of the request.
    seen.push(hasCode(asked) || asked.callback?.searchParams.get('error') === 'access_denied');
  }
  if (new Set(seen).size === 1) observe('oauth.login-hint', seen[0] ? 'ignored' : 'refused');
});

test(questionOf('oauth.unknown-scope'), async ({ oauth }) => {
  const flow = await oauth.proven();
  observe('oauth.unknown-scope', hasCode(await flow.authorize({ scope: 'users:manage no-such-scope' })) ? 'ignored' : 'refused');
});

test(questionOf('oauth.offline-access-alone'), async ({ oauth }) => {
  const flow = await oauth.proven();
  observe('oauth.offline-access-alone', hasCode(await flow.authorize({ scope: 'users:manage offline_access' })) ? 'granted' : 'refused');
});

test(questionOf('oauth.client-basic'), async ({ oauth, need }) => {
  const { clientId, secret } = await need('oauth.secret-client');
  const flow = await oauth.proven('secret');
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64');
  const answer = await flow.exchange(await flow.code(), { client_secret: undefined }, { authorization: `Basic ${basic}` });
  observe('oauth.client-basic', accessTokenOf(answer) === undefined ? 'refused' : 'accepted');
});

test(questionOf('oauth.refresh'), async ({ oauth }) => {
  const flow = await oauth.proven();
  const refreshTokenOf = (json: unknown) => (json as { refresh_token?: unknown } | undefined)?.refresh_token;
  const { answer } = await flow.tokens({ scope: ALL_FOR_REFRESH });
  const first = refreshTokenOf(answer.json);
  if (typeof first !== 'string') return observe('oauth.refresh', 'none');
  const { clientId, authentication } = flow.client;
  const again = await flow.requestToken({
    grant_type: 'refresh_token',
    refresh_token: first,
    client_id: clientId,
    ...(await authentication()),
  });
  if (accessTokenOf(again) === undefined) return;
  observe('oauth.refresh', (refreshTokenOf(again.json) ?? first) === first ? 'kept' : 'rotated');
});

test(questionOf('oauth.other-grants'), async ({ oauth }) => {
  const flow = await oauth.proven();
  const { clientId, authentication } = flow.client;
  const asked = { grant_type: 'client_credentials', client_id: clientId, scope: 'users:manage' };
  const answer = await flow.requestToken({ ...asked, ...(await authentication()) });
  observe('oauth.other-grants', accessTokenOf(answer) === undefined ? 'refused' : 'client-credentials');
});

test(questionOf('oauth.code-reuse'), async ({ oauth, api, need }) => {
  const accountId = await need('account.any');
  const { accessToken, granted } = await (await oauth.proven()).tokens();
  const works = async () => (await api.call('getUsers', { token: accessToken, query: { accountId } })).status;
  const before = await works();
  const flow = await oauth.flow();
  if (accessTokenOf(await flow.exchange(granted)) !== undefined || before === 401) return;
  const after = await works();
  if (after === before || after === 401) observe('oauth.code-reuse', after === 401 ? 'revoked' : 'kept');
});

test(questionOf('oauth.error-body'), async ({ oauth }) => {
  const flow = await oauth.proven();
  const granted = await flow.code();
  const { json, headers } = await flow.exchange(granted, { code_verifier: undefined });
  const { error } = Object(json) as { error?: unknown };
  const isProblem = /^application\/problem\+json/i.test(headers['content-type'] ?? '');
  observe('oauth.error-body', isProblem ? 'problem' : typeof error === 'string' ? 'rfc6749' : undefined);
});

test(questionOf('oauth.access-token-lifetime'), async ({ oauth }) => {
  const { answer } = await (await oauth.flow()).tokens();
  const { expires_in: seconds } = answer.json as { expires_in?: unknown };
  observe('oauth.access-token-lifetime', typeof seconds === 'number' ? seconds : undefined);
});

test(questionOf('oauth.assertion.replay'), async ({ oauth, need }) => {
  const flow = await oauth.proven('key');
  const assertion = { client_assertion_type: ASSERTION_TYPE, client_assertion: await signAssertion(await need('oauth.key-client')) };
  if (accessTokenOf(await flow.exchange(await flow.code(), assertion)) === undefined) return;
  const again = await flow.exchange(await flow.code(), assertion);
  observe('oauth.assertion.replay', accessTokenOf(again) === undefined ? 'refused' : 'accepted');
});

test(questionOf('oauth.assertion.audience'), async ({ oauth, need }) => {
  const flow = await oauth.proven('key');
  const client = await need('oauth.key-client');
  const [, issuer] = /^(.+)\/oauth\/token$/.exec(client.audience) ?? [];
  // A profile whose audience is something else says itself what is right there.
  if (issuer === undefined) return;
  const accepts = async (aud: string | string[]) =>
    accessTokenOf(await flow.exchange(await flow.code(), { client_assertion: await signAssertion(client, { aud }) })) !== undefined;
  const acceptsIssuer = await accepts(issuer);
  const acceptsOthers = await accepts([client.audience, 'https://another-authorization-server.invalid']);
  if (acceptsOthers && !acceptsIssuer) return;
  observe('oauth.assertion.audience', acceptsOthers ? 'also-others' : acceptsIssuer ? 'issuer-or-token-endpoint' : 'token-endpoint');
});
