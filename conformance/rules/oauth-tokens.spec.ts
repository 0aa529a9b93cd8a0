import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { OPERATION_SCOPES } from '../actors/oauth-parts.ts';
import { must } from '../expect/broken.ts';
import { isAboutExpiry, tokenResponse } from '../expect/oauth-judge.ts';
import { unlessUnknown } from '../expect/unless-unknown.ts';
import { success } from '../expect/verify.ts';
import { REPRESENTATIVES } from '../runner/general-test.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test(
  'A token response says in expires_in, a positive number of seconds, how long the access token is valid.',
  rule('oauth.token.expires-in'),
  async ({ oauth }) => {
    const { answer } = await (await oauth.flow()).tokens();
    tokenResponse(answer, isAboutExpiry);
  },
);

test(
  'A token response is JSON with an access_token and the token_type Bearer (RFC 6749, section 5.1).',
  rule('oauth.token.type'),
  async ({ oauth }) => {
    const flow = await oauth.flow();
    const answer = await flow.exchange(await flow.code());
    must(answer.status >= 200 && answer.status < 300, 'the exchange succeeds', answer);
    tokenResponse(answer, (finding) => !isAboutExpiry(finding));
  },
);

test(
  'A token response is not to be stored: it has Cache-Control no-store (RFC 6749, section 5.1).',
  rule('oauth.token.no-store'),
  async ({ oauth }) => {
    const { answer } = await (await oauth.flow()).tokens();
    must(/(?:^|,)\s*no-store\s*(?:,|$)/i.test(answer.headers['cache-control'] ?? ''), 'Cache-Control says no-store', answer);
  },
);

for (const operation of REPRESENTATIVES) {
  test(
    `The access token of a token response is accepted by the operations of its scopes: ${operation}.`,
    rule('oauth.token.works'),
    async ({ oauth, calls, api, need }) => {
      const good = await calls.of(operation);
      const { accessToken } = await (await oauth.flow()).tokens({ scope: operations[operation].scope });
      const answer = await api.call(operation, { ...good, token: accessToken });
      success(operation, await unlessUnknown(need, answer, 'account', 'experience'));
    },
  );
}

test(
  'A token of this grant acts for a user: it carries the principal claim that the users endpoints need.',
  rule('oauth.token.principal'),
  async ({ oauth, calls, api }) => {
    const good = await calls.of('getUsers');
    const { accessToken } = await (await oauth.flow()).tokens();
    const answer = await api.call('getUsers', { ...good, token: accessToken });
    must(answer.status !== 401, 'the token is accepted', answer);
    success('getUsers', answer);
  },
);

for (const scope of OPERATION_SCOPES) {
  test(
    `An access token opens no operation whose scope was not requested: ${scope} was.`,
    rule('oauth.token.only-granted-scopes'),
    async ({ oauth, calls, api, need }) => {
      const [own] = REPRESENTATIVES.filter((operation) => operations[operation].scope === scope) as [OperationId];
      const { accessToken } = await (await oauth.flow()).tokens({ scope });
      const opens = async (operation: OperationId) => api.call(operation, { ...(await calls.of(operation)), token: accessToken });
      for (const operation of calls.possible(REPRESENTATIVES.filter((each) => each !== own))) {
        const answer = await opens(operation);
        must(answer.status >= 400 && answer.status < 500, `${operation} is refused`, answer);
      }
      success(own, await unlessUnknown(need, await opens(own), 'account', 'experience'));
    },
  );
}
