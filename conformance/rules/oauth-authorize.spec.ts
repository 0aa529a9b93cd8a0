import { randomUUID } from 'node:crypto';
import { must } from '../../src/expect/rule-broken.ts';
import { describeOutcome, hasCode } from '../actors/oauth-flow.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { SCOPES } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';
import { isRedirectUri, sendFirstRequest } from '../target/visit.ts';

for (const scope of [...SCOPES, 'experience-connections:manage experience-assignments:manage offline_access']) {
  test(...rule('oauth.authorize.scopes', scope), async ({ oauth }) => {
    await (await oauth.openVerifiedFlow()).expectCode({ scope });
  });
}

test(...rule('oauth.callback.code'), async ({ oauth }) => {
  const flow = await oauth.openFlow();
  const { callback, answer } = await flow.expectCode();
  must(callback && isRedirectUri(callback, flow.client.redirectUri), 'the redirect leads to redirect_uri', answer);
  must(!callback.searchParams.has('error'), 'the redirect contains no error', answer);
});

/** A state with every permitted character that is special in a query (RFC 6749, appendix A.5). */
const SPECIAL_STATE = 'a B+c%20d&e=f/g?h#i"j\'k\\l;m,n:o@p~q';

for (const [variant, state] of [
  ['an upper-case UUID', randomUUID().toUpperCase()],
  ['special characters', SPECIAL_STATE],
  ['360 characters', randomUUID().repeat(10)],
] as const) {
  test(...rule('oauth.callback.state', variant), async ({ oauth }) => {
    const authorization = await (await oauth.openVerifiedFlow()).authorize({ state });
    // A refusal's redirect is not documented, so the check is not testable.
    if (!hasCode(authorization)) endAsNotTestable(describeOutcome(authorization));
    const { callback, answer } = authorization;
    must(callback?.searchParams.getAll('state').join('\n') === state, `the redirect contains the state ${state}`, answer);
  });
}

test(...rule('oauth.callback.denied'), async ({ oauth, need }) => {
  const flow = await oauth.openVerifiedFlow();
  const { callback, answer } = await flow.authorize({ state: SPECIAL_STATE }, await need('oauth.deny'));
  // The specification does not require a redirect after a denial.
  if (callback === undefined) endAsNotTestable('there was no redirect to redirect_uri after the user denied access');
  must(callback.searchParams.get('error'), 'the redirect contains an error', answer);
  must(!callback.searchParams.has('code'), 'the redirect contains no code', answer);
  must(callback.searchParams.get('state') === SPECIAL_STATE, `the redirect contains the state ${SPECIAL_STATE}`, answer);
});

for (const [variant, change] of [
  ['another host', (uri: string) => `https://elsewhere.invalid${new URL(uri).pathname}`],
  ['a path below the registered path', (uri: string) => `${uri}/elsewhere`],
  ['a longer path', (uri: string) => `${uri}elsewhere`],
] as const) {
  test(...rule('oauth.authorize.redirect-uri-unknown', variant), async ({ oauth }) => {
    const flow = await oauth.openVerifiedFlow();
    const redirectUri = change(flow.client.redirectUri);
    const { location, answer } = await flow.authorize({ redirect_uri: redirectUri }, sendFirstRequest);
    must(location === undefined || !isRedirectUri(location, redirectUri), `there is no redirect to the unknown URI ${redirectUri}`, answer);
  });
}

for (const [variant, clientId] of [
  ['a UUID', randomUUID()],
  ['a word', 'nobody'],
] as const) {
  test(...rule('oauth.authorize.client-unknown', variant), async ({ oauth }) => {
    const flow = await oauth.openVerifiedFlow();
    const { location, answer } = await flow.authorize({ client_id: clientId }, sendFirstRequest);
    must(location === undefined || !isRedirectUri(location, flow.client.redirectUri), 'there is no redirect to redirect_uri', answer);
  });
}
