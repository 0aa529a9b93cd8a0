import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Call } from '../actors/api-client.ts';
import { GROUPS, OPERATIONS, REPRESENTATIVES, type SampleCalls } from '../actors/sample-calls.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';

/**
 * Expects a valid call without a token, but with the change, to get 401. The call with a valid token comes after it and succeeds, so nothing else was
 * wrong, and nothing was changed. @param expectOf validates the 401
 */
async function expect401(
  calls: SampleCalls,
  need: Need,
  operation: OperationId,
  change: Partial<Call>,
  expectOf: (answer: Answer) => void = () => {},
): Promise<void> {
  const call = await calls.of(operation);
  const answer = await calls.send(operation, { ...call, ...change });
  expectStatus(answer, 401);
  expectOf(answer);
  await calls.expectSuccess(operation, { ...call, token: await need('token') });
  await calls.requireTokenCheck(operation, call);
}

function expectBearerChallenge(answer: Answer): void {
  // A quoted parameter such as a realm may also contain the word.
  const challenge = (answer.headers['www-authenticate'] ?? '').replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  must(/(?:^|,)\s*bearer(?=\s|,|$)/i.test(challenge), 'WWW-Authenticate names Bearer', answer);
}

/** Changes one character near the end: of the signature, or of an opaque token. */
function tampered(token: string): string {
  const at = token.length - Math.min(10, token.length);
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

for (const operation of OPERATIONS) {
  test(`A call without an access token gets 401: ${operation}.`, rule('auth.token.missing'), async ({ calls, need }) => {
    await expect401(calls, need, operation, {});
  });

  test(`A call with an invalid access token gets 401: ${operation}.`, rule('auth.token.invalid'), async ({ calls, need }) => {
    await expect401(calls, need, operation, { token: tampered(await need('token')) });
  });

  test(`A call with an expired access token gets 401: ${operation}.`, rule('auth.token.expired'), async ({ calls, need }) => {
    await expect401(calls, need, operation, { token: await need('token.expired') });
  });
}

for (const operation of REPRESENTATIVES) {
  test(`A call with an invalid access token gets 401: a word, ${operation}.`, rule('auth.token.invalid'), async ({ calls, need }) => {
    await expect401(calls, need, operation, { token: 'not-a-token' });
  });

  test(
    `Every operation of the API needs a bearer access token in the Authorization header: not Basic, ${operation}.`,
    rule('auth.token.any-client'),
    async ({ calls, need }) => {
      const basic = Buffer.from(`user:${await need('token')}`).toString('base64');
      await expect401(calls, need, operation, { headers: { authorization: `Basic ${basic}` } });
    },
  );

  test(
    `Every operation of the API needs a bearer access token in the Authorization header: not in the query, ${operation}.`,
    rule('auth.token.any-client'),
    async ({ calls, need }) => {
      const [call, token] = [await calls.of(operation), await need('token')];
      // 401, as there is no token, or 400, as there is no such parameter.
      expectRefused(await calls.send(operation, { ...call, query: { ...call.query, access_token: token } }));
      await calls.expectSuccess(operation, { ...call, token });
    },
  );

  test(
    `A 401 names the Bearer scheme in WWW-Authenticate (RFC 6750): ${operation}.`,
    rule('auth.challenge'),
    async ({ calls, need, has }) => {
      const expired = has('token.expired') ? [await need('token.expired')] : [];
      for (const token of [undefined, 'not-a-token', tampered(await need('token')), ...expired])
        await expect401(calls, need, operation, { token }, expectBearerChallenge);
    },
  );

  for (const scheme of ['bearer', 'BEARER']) {
    test(
      `The name of the Bearer scheme is case-insensitive (RFC 9110, section 11.1): ${scheme}, ${operation}.`,
      rule('auth.scheme.case'),
      async ({ calls, need }) => {
        const [call, token] = [await calls.of(operation), await need('token')];
        await calls.expectSuccess(operation, { ...call, token });
        expectSuccess(operation, await calls.send(operation, { ...call, headers: { authorization: `${scheme} ${token}` } }));
        await calls.requireTokenCheck(operation, call);
      },
    );
  }
}

for (const operation of OPERATIONS.filter((id) => operations[id].scope !== 'users:manage')) {
  test(
    `A token without the principal claim works on the operations that are not about users: ${operation}.`,
    rule('auth.claim.only-users'),
    async ({ calls, need }) => {
      await calls.expectSuccess(operation, { ...(await calls.of(operation)), token: await need('token.without-claim') });
    },
  );
}

for (const operation of GROUPS.users) {
  test(
    `A call about users with a token that lacks the principal claim gets 401: ${operation}.`,
    rule('auth.claim.principal'),
    async ({ calls, need }) => {
      await expect401(calls, need, operation, { token: await need('token.without-claim') });
    },
  );
}
