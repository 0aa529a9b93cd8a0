import { randomUUID } from 'node:crypto';
import { entitiesOf } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

test(questionOf('auth.missing-scope'), async ({ api, calls, need }) => {
  const withoutScope = await need('token.without-scope');
  for (const [operation, scope] of [
    ['getExperienceAssignability', 'experience-assignability:check'],
    ['getExperienceAssignments', 'experience-assignments:manage'],
    ['getExperienceConnections', 'experience-connections:manage'],
  ] as const) {
    const call = await calls.of(operation);
    requireSuccess('the same with the scope', await api.call(operation, { ...call, token: await need('token') }));
    observeStatus('auth.missing-scope', await api.call(operation, { ...call, token: withoutScope[scope] }));
  }
});

test(questionOf('users.token-without-claim-and-scope'), async ({ api, need }) => {
  const query = { accountId: await need('account') };
  requireSuccess('the same with both', await api.call('getUsers', { token: await need('token'), query }));
  const answer = await api.call('getUsers', { token: await need('token.without-claim-and-scope'), query });
  observeStatus('users.token-without-claim-and-scope', answer);
});

test(questionOf('http.body.content-type'), async ({ assignments }) => {
  const body = await assignments.newBody();
  const malformed = await assignments.create(undefined, { rawBody: '{"unfinished":' });
  const asText = await assignments.create(undefined, { rawBody: JSON.stringify(body), headers: { 'content-type': 'text/plain' } });
  requireSuccess('the same sent as JSON', await assignments.create(body));
  if (asText.status === 415) observe('http.body.content-type', 415);
  else observe('http.body.content-type', asText.status === malformed.status ? 'as-malformed' : undefined);
});

for (const [variant, members] of [
  ['read-only', { id: randomUUID(), accountId: randomUUID(), updatedAt: '2001-01-01T00:00:00Z' }],
  ['unknown', { shoeSize: 42 }],
] as const) {
  test(`${questionOf('http.body.read-only-fields')} ${variant}`, async ({ assignments }) => {
    const body = await assignments.newBody();
    const answer = await assignments.create({ ...body, ...members });
    if (answer.status === 422) {
      requireSuccess('the same without them', await assignments.create(body));
      observe('http.body.read-only-fields', 422);
    }
    const created = answer.json as Readonly<Record<string, unknown>> | undefined;
    const areIgnored = Object.entries(members).every(([name, value]) => created?.[name] !== value);
    if (answer.status === 201) observe('http.body.read-only-fields', areIgnored ? 'ignored' : undefined);
  });
}

test(questionOf('http.query.unknown-parameter'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  for (const operation of ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const) {
    requireSuccess('the same without it', await api.call(operation, { token, query: { accountId } }));
    const { status } = await api.call(operation, { token, query: { accountId, shoeSize: 42 } });
    observe('http.query.unknown-parameter', status === 200 ? 'ignored' : status === 400 ? 400 : undefined);
  }
});

test(questionOf('http.query.duplicate-parameter'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 3; count += 1) await assignments.make();
  const [token, query] = [await need('token'), { accountId: await need('account'), experienceId: await need('experience') }];
  /** The number of entities, or the status. */
  const list = async (...pageSize: readonly number[]) => {
    const answer = await api.call('getExperienceAssignments', { token, query: { ...query, pageSize } });
    return entitiesOf(answer)?.length ?? answer.status;
  };
  if ((await list(1)) !== 1 || (await list(2)) !== 2) notTestable('pages of as many as are asked for');
  const outcome = `${await list(1, 2)} ${await list(2, 1)}`;
  const values = { '1 2': 'first', '2 1': 'last', '400 400': 400 } as const;
  observe('http.query.duplicate-parameter', values[outcome as keyof typeof values]);
});

test(questionOf('http.uuid-letter-case'), async ({ api, need, assignments }) => {
  const { id, accountId, targetType } = await assignments.make();
  const [token, upperCase, lowerCase] = [await need('token'), accountId.toUpperCase(), accountId.toLowerCase()];
  if (upperCase === lowerCase) notTestable('an account whose id has letters');
  const lower = await api.call('getExperienceAssignments', { token, query: { accountId: lowerCase } });
  requireSuccess('the list of the account', lower);
  const answer = await api.call('getExperienceAssignments', { token, query: { accountId: upperCase, targetType } });
  if (answer.status === 400) observe('http.uuid-letter-case', 'refused');
  const isListed = entitiesOf(answer)?.some((entity) => sameId(entity.id, id));
  observe('http.uuid-letter-case', isListed ? 'accepted' : undefined);
});

test(questionOf('users.native-id.ambiguous'), async ({ api, need }) => {
  const { nativeId, legacyNumeric, base62 } = await need('user.ambiguous');
  const answer = await api.call('getUser', { token: await need('token'), path: { userId: nativeId } });
  const { id } = requireSuccess('a user by its native id', answer).json as { id?: unknown };
  if (sameId(id, legacyNumeric)) observe('users.native-id.ambiguous', 'legacy-numeric');
  if (sameId(id, base62)) observe('users.native-id.ambiguous', 'base62');
});
