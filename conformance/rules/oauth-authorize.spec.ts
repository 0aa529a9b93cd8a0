import { randomUUID } from 'node:crypto';
import { OPERATION_SCOPES } from '../actors/oauth-parts.ts';
import { must } from '../expect/broken.ts';
import { mustHaveCode } from '../expect/oauth-judge.ts';
import { test } from '../runner/oauth-test.ts';
import { rule } from '../runner/rule.ts';
import { notTestable } from '../target/not-testable.ts';
import { firstStep, leadsTo } from '../target/visit.ts';

const SCOPES = [...OPERATION_SCOPES, 'experience-connections:manage experience-assignments:manage offline_access'];
/** All that a state may hold (RFC 6749, appendix A.5) and that means something in a query. */
const STATE = 'a B+c%20d&e=f/g?h#i"j\'k\\l;m,n:o@p~q';

for (const scope of SCOPES) {
  test(
    `The scopes experience-connections:manage, experience-assignments:manage, experience-assignability:check, users:manage and offline_access can be requested: ${scope}.`,
    rule('oauth.authorize.scopes'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      mustHaveCode(await flow.ask({ scope }), 'the redirect carries a code, and no error');
    },
  );
}

test(
  'An authorization request that the user approves ends in a redirect to redirect_uri with a code.',
  rule('oauth.callback.code'),
  async ({ oauth }) => {
    const flow = await oauth.flow();
    const asked = await flow.ask();
    mustHaveCode(asked);
    must(leadsTo(asked.callback ?? new URL('about:blank'), flow.client.redirectUri), 'the redirect leads to redirect_uri', asked.answer);
    must(asked.callback?.searchParams.get('error') === null, 'the redirect carries no error', asked.answer);
  },
);

for (const [kind, state] of [
  ['a word', () => randomUUID().toUpperCase()],
  ['signs', () => STATE],
  ['a long one', () => `${randomUUID()}`.repeat(10)],
] as const) {
  test(
    `The redirect to redirect_uri carries the state of the authorization request unchanged: ${kind}.`,
    rule('oauth.callback.state'),
    async ({ oauth }) => {
      const sent = state();
      const { callback, answer } = await (await oauth.proven()).ask({ state: sent });
      if (callback === undefined) notTestable('a redirect to redirect_uri');
      must(callback.searchParams.getAll('state').join('\n') === sent, `the redirect carries the state ${sent}`, answer);
    },
  );
}

test(
  'The redirect to redirect_uri carries the state of the authorization request unchanged: the user denies.',
  rule('oauth.callback.state'),
  async ({ oauth, need }) => {
    const flow = await oauth.proven();
    const { callback, answer } = await flow.ask({ state: STATE }, await need('oauth.deny'));
    if (callback === undefined) notTestable('a redirect to redirect_uri where the user denies');
    must(callback.searchParams.get('state') === STATE, `the redirect carries the state ${STATE}`, answer);
  },
);

test(
  'Where the user denies, the redirect carries an error and no code (RFC 6749, section 4.1.2.1).',
  rule('oauth.callback.denied'),
  async ({ oauth, need }) => {
    const flow = await oauth.proven();
    const { callback, answer } = await flow.ask({}, await need('oauth.deny'));
    // What somebody is shown who denied, and is not redirected, is not the matter of this rule.
    if (callback === undefined) notTestable('a redirect to redirect_uri where the user denies');
    must(callback.searchParams.get('error'), 'the redirect carries an error', answer);
    must(!callback.searchParams.has('code'), 'the redirect carries no code', answer);
  },
);

for (const [what, uriOf] of [
  ['another host', (uri: string) => `https://elsewhere.invalid${new URL(uri).pathname}`],
  ['a path below it', (uri: string) => `${uri}/elsewhere`],
  ['a longer path', (uri: string) => `${uri}elsewhere`],
] as const) {
  test(
    `Nobody is redirected to a redirect_uri that is not registered for the client (RFC 6749, section 4.1.2.1): ${what}.`,
    rule('oauth.authorize.redirect-uri-unknown'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      const redirectUri = uriOf(flow.client.redirectUri);
      const { location, answer } = await flow.ask({ redirect_uri: redirectUri }, firstStep);
      must(location === undefined || !leadsTo(location, redirectUri), 'there is no redirect to it', answer);
    },
  );
}

for (const [what, clientId] of [
  ['a UUID', () => randomUUID()],
  ['a word', () => 'nobody'],
] as const) {
  test(
    `An unknown client_id is not redirected (RFC 6749, section 4.1.2.1): ${what}.`,
    rule('oauth.authorize.client-unknown'),
    async ({ oauth }) => {
      const flow = await oauth.proven();
      const { location, answer } = await flow.ask({ client_id: clientId() }, firstStep);
      must(location === undefined || !leadsTo(location, flow.client.redirectUri), 'there is no redirect to redirect_uri', answer);
    },
  );
}
