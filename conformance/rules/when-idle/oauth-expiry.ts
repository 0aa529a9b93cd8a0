import { must } from '../../../src/expect/rule-broken.ts';
import { expectStatus } from '../../expect/response.ts';
import { expectNoToken } from '../../expect/token.ts';
import { isKit } from '../../runner/repeated.ts';
import { LONG_TAG, rule } from '../../runner/rule.ts';
import { test } from '../../runner/test.ts';
import { endAsInconclusive, endAsNotTestable } from '../../target/check-report.ts';

// In a kit, these checks may advance the clock, so no other check may run at the same time. Other targets have no such clock.
const options = { tag: LONG_TAG, ...(isKit && { lock: '-exclusive-' }) } as const;

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
    endAsInconclusive(`a response or this machine was slow, so the token expired after ${seconds} seconds, before it was used`);
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
