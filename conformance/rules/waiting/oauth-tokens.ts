import { type OperationId, operations } from '../../../src/contract/generated/operations.ts';
import { OPERATION_SCOPES } from '../../actors/oauth-parameters.ts';
import { GROUP_REPRESENTATIVES } from '../../actors/sample-calls.ts';
import { expectStatus, expectSuccess, requireExistingIds } from '../../expect/response.ts';
import { must } from '../../expect/rule-broken.ts';
import { expectNoToken, expectTokenResponse, isAboutExpiry } from '../../expect/token.ts';
import { isKit } from '../../runner/repeated.ts';
import { REPEATS_TAG, rule } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsNotTestable } from '../../target/check-report.ts';
import type { Answer } from '../../target/exchange.ts';

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
    expectSuccess(operation, await requireExistingIds(need, answer, 'account', 'experience'));
  });
}

test(...rule('oauth.token.principal'), async ({ oauth, calls, api }) => {
  const call = await calls.createCall('getUsers');
  const { accessToken: token } = await (await oauth.openFlow()).requestTokens();
  const answer = await api.call('getUsers', { ...call, token });
  must(answer.status !== 401, 'the token is accepted', answer);
  expectSuccess('getUsers', answer);
});

for (const scope of OPERATION_SCOPES) {
  test(...rule('oauth.token.only-granted-scopes', `only ${scope} is granted`), async ({ oauth, calls, api, need }) => {
    const [allowed] = GROUP_REPRESENTATIVES.filter((operation) => operations[operation].scope === scope) as [OperationId];
    const { accessToken: token } = await (await oauth.openFlow()).requestTokens({ scope });
    for (const operation of calls.filterPossible(GROUP_REPRESENTATIVES.filter((each) => each !== allowed))) {
      const answer = await api.call(operation, { ...(await calls.createCall(operation)), token });
      must(answer.status >= 400 && answer.status < 500, `${operation} is refused`, answer);
    }
    const answer = await api.call(allowed, { ...(await calls.createCall(allowed)), token });
    endIfPrincipalClaimMissing(allowed, answer);
    expectSuccess(allowed, await requireExistingIds(need, answer, 'account', 'experience'));
  });
}

// In a kit, these checks may advance the clock, so no other check may run at the same time. Other targets have no such clock.
const options = isKit ? { lock: '-exclusive-' } : ({ tag: REPEATS_TAG } as const);

test(...rule('oauth.token.valid-to-its-end', undefined, options), async ({ oauth, calls, api, need }) => {
  const wait = await need('clock.wait');
  const call = await calls.createCall('getExperienceConnections');
  const requestedAt = performance.now();
  const { answer, accessToken: token } = await (await oauth.openExpiringFlow()).requestTokens();
  const { expires_in: seconds } = answer.json as { expires_in?: unknown };
  if (typeof seconds !== 'number' || seconds <= 0) endAsNotTestable('the token response has no positive expires_in');
  // Use the token this many seconds before it expires, because the requests take time.
  const margin = Math.min(10, seconds / 2);
  const [untilUse, waitedAt] = [(seconds - margin) * 1000, performance.now()];
  await wait(untilUse);
  const moved = Math.max(0, untilUse - (performance.now() - waitedAt));
  const inTime = await api.call('getExperienceConnections', { ...call, token });
  if (inTime.status === 401 && performance.now() - requestedAt + moved > seconds * 1000)
    endAsNotTestable(`a response or this machine was slow, so the token expired after ${seconds} seconds, before it was used`);
  must(inTime.status !== 401, `the token is accepted ${margin} seconds before it expires`, inTime);
  // The target may round the time, so wait two seconds longer.
  await wait((margin + 2) * 1000);
  expectStatus(await api.call('getExperienceConnections', { ...call, token }), 401);
});

for (const [id, minutes] of [
  ['oauth.code.short-lived', 60],
  ['oauth.code.ten-minutes', 10],
] as const) {
  test(...rule(id, undefined, options), async ({ oauth, need, has }) => {
    const wait = await need('clock.wait');
    const flow = await oauth.openExpiringFlow();
    const granted = await flow.requestCode();
    const longest = minutes * 60_000;
    const lifetime = has('oauth.code-lifetime') ? Math.min(longest, await need('oauth.code-lifetime')) : longest;
    await wait(lifetime + 1000);
    expectNoToken(await flow.exchangeCode(granted));
  });
}
