import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenKind } from '../../../contract/generated/control.ts';
import { type OperationId, operations } from '../../../contract/generated/operations.ts';
import { tokenKinds } from '../../../oauth/mint.ts';
import { ok, refused } from '../expect.ts';
import type { Lab, RawRequest, Token } from '../lab.ts';
import { rule } from '../rule.ts';
import { assign, connect, experience, number } from '../steps.ts';
import { idOf } from '../world.ts';

const operationIds = Object.keys(operations) as OperationId[];
const aboutUsers = (operationId: OperationId) => operationId === 'getUsers' || operationId === 'getUser';

/** What every operation answers with success: its valid twin. */
async function valid(lab: Lab, operationId: OperationId): Promise<{ path: string; body?: object }> {
  const { accountId, numbers } = lab.room();
  const path = operations[operationId].paths[0];
  switch (operationId) {
    case 'getExperienceAssignability':
      return { path: `${path.replace(/\{\w+\}/, experience('agent'))}?targetType=ACCOUNT&targetValue=${accountId}` };
    case 'createExperienceAssignment':
      return { path, body: { experienceId: experience('agent'), ...number(numbers[0]) } };
    case 'createExperienceConnection':
      return { path, body: { experienceId: experience('agent'), accountId } };
    case 'getExperienceAssignment':
    case 'deleteExperienceAssignment':
      return { path: path.replace(/\{\w+\}/, (await assign(lab, 'agent', number(numbers[0]))).id) };
    case 'updateExperienceConnection':
      return { path: path.replace(/\{\w+\}/, (await connect(lab, 'agent', accountId)).id), body: { state: 'ACTIVE' } };
    case 'getExperienceConnection':
    case 'deleteExperienceConnection':
      return { path: path.replace(/\{\w+\}/, (await connect(lab, 'agent', accountId)).id) };
    case 'getUser':
      return { path: path.replace(/\{\w+\}/, idOf('users', 'ada')) };
    default:
      return { path: `${path}?accountId=${accountId}` };
  }
}

export function tokens(lab: Lab): void {
  const call = async (operationId: OperationId, token: Token, headers: Readonly<Record<string, string>> = {}) => {
    const { path, body } = await valid(lab, operationId);
    return lab.send(operations[operationId].method.toUpperCase(), path, { token, headers, ...(body && { body }) });
  };
  const me = (request: RawRequest, search = '') => lab.send('GET', `/users/${idOf('users', 'ada')}${search}`, request);
  const text = () => lab.kit.tokens().then(({ full }) => full!);

  test(rule('auth.token.any-client', 'auth.token.missing'), async () => {
    for (const operationId of operationIds) await refused(call(operationId, 'none'), 401, 'auth.token.missing');
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic YTpi', `Token ${await text()}`, await text()]) {
      await refused(me({ headers: { authorization } }), 401, 'auth.token.missing');
    }
    await refused(me({}, `?access_token=${await text()}`), 401, 'auth.token.missing');
    await refused(me({ headers: { cookie: `access_token=${await text()}` } }), 401, 'auth.token.missing');
  });

  test(rule('auth.token.invalid'), async () => {
    // The other kinds are good, or wrong in a way that has its own rule.
    const others: readonly TokenKind[] = ['good', 'expired', 'no-principal'];
    const kinds = tokenKinds.filter((kind) => !others.includes(kind));
    for (const kind of kinds) {
      const token = await lab.mint({ client: 'acme-web', principal: 'manager', kind });
      await refused(me({ token }), 401, 'auth.token.invalid');
      await refused(call('getExperienceAssignments', token), 401, 'auth.token.invalid');
    }
    for (const authorization of [`Bearer ${await text()} x`, `Bearer "${await text()}"`, `Bearer ${await text()},`]) {
      await refused(me({ headers: { authorization } }), 401, 'auth.token.invalid');
    }
    const bad = await lab.mint({ client: 'acme-web', principal: 'manager', kind: 'wrong-signature' });
    for (const operationId of operationIds) await refused(call(operationId, bad), 401, 'auth.token.invalid');
  });

  test(rule('auth.token.expired', 'auth.challenge'), async () => {
    const token = await lab.mint({ client: 'acme-web', principal: 'manager', expiresIn: 60 });
    await lab.advance(59_999);
    await ok(me({ token }));
    await lab.advance(1);
    for (const operationId of operationIds) await refused(call(operationId, token), 401, 'auth.token.expired');
    const { response } = await me({ token });
    assert.match(response.headers.get('www-authenticate')!, /^Bearer error="invalid_token"/);
    await refused(me({ token: await lab.mint({ client: 'acme-web', principal: 'manager', kind: 'expired' }) }), 401, 'auth.token.expired');
  });

  test(rule('auth.scheme.case'), async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) await ok(me({ headers: { authorization: `${scheme} ${await text()}` } }));
  });

  test(rule('auth.claim.only-users'), async () => {
    for (const operationId of operationIds) {
      const { response } = await call(operationId, 'no-principal');
      assert.equal(response.ok, !aboutUsers(operationId), operationId);
    }
  });

  test('A token that has the scope of an operation needs no other', async () => {
    for (const operationId of operationIds) {
      const token = await lab.mint({ client: 'acme-web', principal: 'manager', scopes: [operations[operationId].scope] });
      assert.ok((await call(operationId, token)).response.ok, operationId);
    }
  });
}
