import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { must } from '../../src/expect/rule-broken.ts';
import { expectTokenResponse, isAboutExpiry } from '../../src/expect/token-response.ts';
import { GROUP_REPRESENTATIVES } from '../actors/sample-calls.ts';
import { expectSuccess, requireExistingIds } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { SCOPES } from '../target/capabilities.ts';
import { endAsNotTestable } from '../target/check-report.ts';

test(...rule('oauth.token.expires-in'), async ({ oauth }) => {
  const { answer } = await (await oauth.openFlow()).requestTokens();
  expectTokenResponse(answer, isAboutExpiry);
});

test(...rule('oauth.token.type'), async ({ oauth }) => {
  const flow = await oauth.openFlow();
  const answer = await flow.exchangeCode(await flow.requestCode());
  expectTokenResponse(answer, (finding) => !isAboutExpiry(finding));
});

test(...rule('oauth.token.no-store'), async ({ oauth }) => {
  const { answer } = await (await oauth.openFlow()).requestTokens();
  must(/(?:^|,)\s*no-store\s*(?:,|$)/i.test(answer.headers['cache-control'] ?? ''), 'Cache-Control contains no-store', answer);
});

/** Without the principal claim, a 401 breaks oauth.token.principal, not this rule. */
function endIfPrincipalClaimMissing(operation: OperationId, { status }: Answer): void {
  if (operation === 'getUsers' && status === 401) endAsNotTestable('the token may lack the principal claim (oauth.token.principal)');
}

for (const operation of GROUP_REPRESENTATIVES) {
  test(...rule('oauth.token.works', operation), async ({ oauth, calls, api, need }) => {
    const call = await calls.createCall(operation);
    const { accessToken: token } = await (await oauth.openFlow()).requestTokens({ scope: operations[operation].scope });
    const answer = await api.call(operation, { ...call, token });
    endIfPrincipalClaimMissing(operation, answer);
    expectSuccess(await requireExistingIds(need, answer, 'account', 'experience'));
  });
}

test(...rule('oauth.token.works', 'after the client has got another token'), async ({ oauth, calls, api, need }) => {
  const [operation] = GROUP_REPRESENTATIVES;
  const call = await calls.createCall(operation);
  const flow = await oauth.openFlow();
  const { accessToken: token } = await flow.requestTokens();
  await flow.requestTokens();
  expectSuccess(await requireExistingIds(need, await api.call(operation, { ...call, token }), 'account', 'experience'));
});

test(...rule('oauth.token.only-granted-scopes', 'all scopes were granted before'), async ({ oauth, calls, api }) => {
  const [scope, operation] = ['experience-assignments:manage', 'getExperienceConnections'] as const;
  const call = await calls.createCall(operation);
  const flow = await oauth.openFlow();
  await flow.requestTokens();
  const { accessToken: token } = await flow.requestTokens({ scope });
  const answer = await api.call(operation, { ...call, token });
  must(answer.status >= 400 && answer.status < 500, `${operation} is refused`, answer);
});

test(...rule('oauth.token.principal'), async ({ oauth, calls, api }) => {
  const call = await calls.createCall('getUsers');
  const { accessToken: token } = await (await oauth.openFlow()).requestTokens();
  const answer = await api.call('getUsers', { ...call, token });
  must(answer.status !== 401, 'the token is accepted', answer);
  expectSuccess(answer);
});

for (const scope of SCOPES) {
  test(...rule('oauth.token.only-granted-scopes', `only ${scope} is granted`), async ({ oauth, calls, api, need }) => {
    const [allowed] = GROUP_REPRESENTATIVES.filter((operation) => operations[operation].scope === scope) as [OperationId];
    const { accessToken: token } = await (await oauth.openFlow()).requestTokens({ scope });
    for (const operation of calls.filterPossible(GROUP_REPRESENTATIVES.filter((each) => each !== allowed))) {
      const answer = await api.call(operation, { ...(await calls.createCall(operation)), token });
      must(answer.status >= 400 && answer.status < 500, `${operation} is refused`, answer);
    }
    const answer = await api.call(allowed, { ...(await calls.createCall(allowed)), token });
    endIfPrincipalClaimMissing(allowed, answer);
    expectSuccess(await requireExistingIds(need, answer, 'account', 'experience'));
  });
}
