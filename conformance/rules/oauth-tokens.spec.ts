import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { OPERATION_SCOPES } from '../actors/oauth-parameters.ts';
import { REPRESENTATIVES } from '../actors/sample-calls.ts';
import { excuseUnknown, expectStatus, expectSuccess, isSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { expectNoToken, expectTokenResponse, isAboutExpiry } from '../expect/token.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

test(...rule('oauth.token.expires-in'), async ({ oauth }) => {
  const { answer } = await (await oauth.flow()).tokens();
  expectTokenResponse(answer, isAboutExpiry);
});

test(...rule('oauth.token.type'), async ({ oauth }) => {
  const flow = await oauth.flow();
  const answer = await flow.exchange(await flow.code());
  must(isSuccess(answer), 'the exchange succeeds', answer);
  expectTokenResponse(answer, (finding) => !isAboutExpiry(finding));
});

test(...rule('oauth.token.no-store'), async ({ oauth }) => {
  const { answer } = await (await oauth.flow()).tokens();
  must(/(?:^|,)\s*no-store\s*(?:,|$)/i.test(answer.headers['cache-control'] ?? ''), 'Cache-Control contains no-store', answer);
});

for (const operation of REPRESENTATIVES) {
  test(...rule('oauth.token.works', operation), async ({ oauth, calls, api, need }) => {
    const call = await calls.of(operation);
    const { accessToken: token } = await (await oauth.flow()).tokens({ scope: operations[operation].scope });
    const answer = await api.call(operation, { ...call, token });
    expectSuccess(operation, await excuseUnknown(need, answer, 'account', 'experience'));
  });
}

test(...rule('oauth.token.principal'), async ({ oauth, calls, api }) => {
  const call = await calls.of('getUsers');
  const { accessToken: token } = await (await oauth.flow()).tokens();
  const answer = await api.call('getUsers', { ...call, token });
  must(answer.status !== 401, 'the token is accepted', answer);
  expectSuccess('getUsers', answer);
});

for (const scope of OPERATION_SCOPES) {
  test(...rule('oauth.token.only-granted-scopes', `only ${scope} is granted`), async ({ oauth, calls, api, need }) => {
    const [allowed] = REPRESENTATIVES.filter((operation) => operations[operation].scope === scope) as [OperationId];
    const { accessToken: token } = await (await oauth.flow()).tokens({ scope });
    for (const operation of calls.possible(REPRESENTATIVES.filter((each) => each !== allowed))) {
      const answer = await api.call(operation, { ...(await calls.of(operation)), token });
      must(answer.status >= 400 && answer.status < 500, `${operation} is refused`, answer);
    }
    const answer = await api.call(allowed, { ...(await calls.of(allowed)), token });
    expectSuccess(allowed, await excuseUnknown(need, answer, 'account', 'experience'));
  });
}

// The following checks advance the clock of the target, so no other check may run at the same time.
const lock = '-exclusive-';

test(...rule('oauth.token.valid-to-its-end', undefined, { lock }), async ({ oauth, calls, api, need }) => {
  const advance = await need('clock.advance');
  const call = await calls.of('getExperienceConnections');
  const { answer, accessToken: token } = await (await oauth.flow()).tokens();
  const { expires_in: seconds } = answer.json as { expires_in?: unknown };
  if (typeof seconds !== 'number' || seconds <= 0) notTestable('the token response has no positive expires_in');
  // The token is used this many seconds before it expires, because the requests take some time.
  const margin = Math.min(10, seconds / 2);
  await advance((seconds - margin) * 1000);
  const inTime = await api.call('getExperienceConnections', { ...call, token });
  must(inTime.status !== 401, `the token is accepted ${margin} seconds before it expires`, inTime);
  await advance((margin + 1) * 1000);
  expectStatus(await api.call('getExperienceConnections', { ...call, token }), 401);
});

for (const [id, minutes] of [
  ['oauth.code.short-lived', 60],
  ['oauth.code.ten-minutes', 10],
] as const) {
  test(...rule(id, undefined, { lock }), async ({ oauth, need }) => {
    const advance = await need('clock.advance');
    const flow = await oauth.proven();
    const granted = await flow.code();
    await advance((minutes * 60 + 1) * 1000);
    expectNoToken(await flow.exchange(granted));
  });
}
