import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Call } from '../actors/api-client.ts';
import { GROUPS, OPERATIONS, REPRESENTATIVES, type SampleCalls } from '../actors/sample-calls.ts';
import { expectRefused, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';

/** The call is expectRefused with 401 for its token; with a good one it succeeds, so nothing else was in the way, and nothing had happened. */
async function unauthorized(
  calls: SampleCalls,
  need: Need,
  operation: OperationId,
  change: Partial<Call>,
  judge: (answer: Answer) => void = () => {},
): Promise<void> {
  const good = await calls.of(operation);
  const answer = await calls.send(operation, { ...good, ...change });
  expectStatus(answer, 401);
  judge(answer);
  await calls.expectSuccess(operation, { ...good, token: await need('token') });
  await calls.requireTokenCheck(operation, good);
}

/** The token with one letter of its end changed: a signature that is none, an opaque token that was never issued. */
function tampered(token: string): string {
  const at = token.length - Math.min(10, token.length);
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

function namesBearer(answer: Answer): void {
  // What stands in quotes is a parameter, such as a realm that speaks of bearers.
  const challenge = (answer.headers['www-authenticate'] ?? '').replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  must(/(?:^|,)\s*bearer(?=\s|,|$)/i.test(challenge), 'WWW-Authenticate names Bearer', answer);
}

for (const operation of OPERATIONS) {
  test(`A call without an access token gets 401: ${operation}.`, rule('auth.token.missing'), async ({ calls, need }) => {
    await unauthorized(calls, need, operation, {});
  });

  test(`A call with an invalid access token gets 401: ${operation}.`, rule('auth.token.invalid'), async ({ calls, need }) => {
    await unauthorized(calls, need, operation, { token: tampered(await need('token')) });
  });

  test(`A call with an expired access token gets 401: ${operation}.`, rule('auth.token.expired'), async ({ calls, need }) => {
    await unauthorized(calls, need, operation, { token: await need('token.expired') });
  });
}

for (const operation of REPRESENTATIVES) {
  test(`A call with an invalid access token gets 401: a word, ${operation}.`, rule('auth.token.invalid'), async ({ calls, need }) => {
    await unauthorized(calls, need, operation, { token: 'not-a-token' });
  });

  test(
    `Every operation of the API needs a bearer access token in the Authorization header: Basic is none, ${operation}.`,
    rule('auth.token.any-client'),
    async ({ calls, need }) => {
      const basic = Buffer.from(`user:${await need('token')}`).toString('base64');
      await unauthorized(calls, need, operation, { headers: { authorization: `Basic ${basic}` } });
    },
  );

  test(
    `Every operation of the API needs a bearer access token in the Authorization header: the query is none, ${operation}.`,
    rule('auth.token.any-client'),
    async ({ calls, need }) => {
      const [good, token] = [await calls.of(operation), await need('token')];
      // That there is no token, or that there is no such parameter: either may be said.
      expectRefused(await calls.send(operation, { ...good, query: { ...good.query, access_token: token } }));
      await calls.expectSuccess(operation, { ...good, token });
    },
  );

  test(
    `A 401 names the Bearer scheme in WWW-Authenticate (RFC 6750): ${operation}.`,
    rule('auth.challenge'),
    async ({ calls, need, has }) => {
      const bad = [undefined, 'not-a-token', tampered(await need('token')), ...(has('token.expired') ? [await need('token.expired')] : [])];
      for (const token of bad) {
        await unauthorized(calls, need, operation, { token }, namesBearer);
      }
    },
  );

  for (const scheme of ['bearer', 'BEARER']) {
    test(
      `The name of the scheme, Bearer, has no letter case (RFC 9110, section 11.1): ${scheme}, ${operation}.`,
      rule('auth.scheme.case'),
      async ({ calls, need }) => {
        const good = await calls.of(operation);
        await calls.expectSuccess(operation, { ...good, token: await need('token') });
        expectSuccess(operation, await calls.send(operation, { ...good, headers: { authorization: `${scheme} ${await need('token')}` } }));
        await calls.requireTokenCheck(operation, good);
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
      await unauthorized(calls, need, operation, { token: await need('token.without-claim') });
    },
  );
}
