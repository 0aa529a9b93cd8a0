import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { expectBearerChallenge } from '../../src/expect/challenge.ts';
import { HOSTILE_TOKENS, INVALID_TOKEN } from '../../src/refusals/opaque-values.ts';
import type { CallOptions } from '../actors/api-client.ts';
import { sendForEach } from '../actors/in-parallel.ts';
import { GROUP_REPRESENTATIVES, OPERATION_GROUPS, OPERATION_IDS, type SampleCalls } from '../actors/sample-calls.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

/**
 * Expects a 401 for each change. Then expects a success with a valid token, which proves that the authentication was the reason for the 401.
 * @param changes the invalid authentication; {} sends no token
 */
async function expect401(
  calls: SampleCalls,
  operation: OperationId,
  changes: readonly Partial<CallOptions>[],
  expectMore: (answer: Answer) => void = () => {},
): Promise<void> {
  const call = await calls.createCall(operation);
  const answers: Answer[] = [];
  for (const change of changes) answers.push(await calls.send(operation, { ...call, ...change }));
  for (const answer of answers) expectStatus(answer, 401);
  for (const answer of answers) expectMore(answer);
  await calls.expectSuccess(operation, call);
  await calls.requireTokenCheck(operation, call);
}

/** Changes a character near the end of the token. In a JWT, this character is part of the signature. */
function tamperWithToken(token: string): string {
  const at = token.length - Math.min(10, token.length);
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

const OTHER_SCHEMES = ['Basic', 'Digest', 'DPoP', 'JWT', 'Token', 'OAuth', 'ApiKey'];

for (const operation of OPERATION_IDS) {
  test(...rule('auth.token.missing', operation), async ({ calls }) => {
    await expect401(calls, operation, [{}]);
  });

  test(...rule('auth.token.invalid', operation), async ({ calls, need }) => {
    await expect401(calls, operation, [{ token: tamperWithToken(await need('token')) }]);
  });

  test(...rule('auth.token.expired', operation), async ({ calls, need }) => {
    await expect401(calls, operation, [{ token: await need('token.expired') }]);
  });
}

for (const operation of GROUP_REPRESENTATIVES) {
  test(...rule('auth.token.invalid', `tokens that the target did not issue, ${operation}`), async ({ api, calls }) => {
    const call = await calls.createCall(operation);
    await sendForEach(api, operation, HOSTILE_TOKENS, async ({ value: token }) =>
      expectStatus(await api.call(operation, { ...call, token }), 401),
    );
    await calls.expectSuccess(operation, call);
  });

  test(...rule('auth.token.any-client', `another scheme than Bearer, or none, ${operation}`), async ({ calls, need }) => {
    const token = await need('token');
    const basic = `Basic ${Buffer.from(`user:${token}`).toString('base64')}`;
    const headers = [basic, ...OTHER_SCHEMES.map((scheme) => `${scheme} ${token}`), `Bearer${token}`, token];
    const changes = headers.map((authorization) => ({ headers: { authorization } }));
    await expect401(calls, operation, changes);
  });

  test(...rule('auth.token.any-client', `a token in the query, ${operation}`), async ({ calls, need }) => {
    const [call, token] = [await calls.createCall(operation), await need('token')];
    // A target may answer with 401, because the header contains no token, or with 400, because the query parameter is unknown.
    expectRefused(await calls.send(operation, { ...call, query: { ...call.query, access_token: token } }));
    await calls.expectSuccess(operation, call);
  });

  test(...rule('auth.challenge', operation), async ({ calls, need, has }) => {
    const expired = has('token.expired') ? [await need('token.expired')] : [];
    const tokens = [undefined, INVALID_TOKEN, tamperWithToken(await need('token')), ...expired];
    const changes = tokens.map((token) => ({ token }));
    await expect401(calls, operation, changes, expectBearerChallenge);
  });

  for (const scheme of ['bearer', 'BEARER']) {
    test(...rule('auth.scheme.case', `${scheme}, ${operation}`), async ({ calls, need }) => {
      const [call, token] = [await calls.createCall(operation), await need('token')];
      await calls.expectSuccessStatus(operation, call);
      expectSuccess(await calls.send(operation, { ...call, headers: { authorization: `${scheme} ${token}` } }));
      await calls.requireTokenCheck(operation, call);
    });
  }
}

for (const operation of OPERATION_IDS.filter((id) => operations[id].scope !== 'users:manage')) {
  test(...rule('auth.claim.only-users', operation), async ({ calls, need }) => {
    await calls.expectSuccess(operation, { ...(await calls.createCall(operation)), token: await need('token.without-claim') });
  });
}

for (const operation of OPERATION_GROUPS.users) {
  test(...rule('auth.claim.principal', operation), async ({ calls, need }) => {
    await expect401(calls, operation, [{ token: await need('token.without-claim') }]);
  });
}
