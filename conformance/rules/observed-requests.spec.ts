import { randomUUID } from 'node:crypto';
import { entitiesOf } from '../actors/lists.ts';
import { sameId } from '../expect/compare.ts';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import { notTestable } from '../target/not-testable.ts';

test(questionOf('auth.missing-scope'), async ({ api, calls, need }) => {
  const lacking = await need('token.without-scope');
  for (const [operation, scope] of [
    ['getExperienceAssignability', 'experience-assignability:check'],
    ['getExperienceAssignments', 'experience-assignments:manage'],
    ['getExperienceConnections', 'experience-connections:manage'],
  ] as const) {
    const good = await calls.of(operation);
    requireSuccess('the same with the scope', await api.call(operation, { ...good, token: await need('token') }));
    observeStatus('auth.missing-scope', await api.call(operation, { ...good, token: lacking[scope] }));
  }
});

test(questionOf('http.body.content-type'), async ({ assignments }) => {
  const wanted = await assignments.newBody();
  const malformed = await assignments.create(undefined, { rawBody: '{"unfinished":' });
  const asText = await assignments.create(undefined, { rawBody: JSON.stringify(wanted), headers: { 'content-type': 'text/plain' } });
  requireSuccess('the same sent as JSON', await assignments.create(wanted));
  if (asText.status === 415) observe('http.body.content-type', 415);
  else observe('http.body.content-type', asText.status === malformed.status ? 'as-malformed' : undefined);
});

for (const [which, more] of [
  ['read-only', { id: randomUUID(), accountId: randomUUID(), updatedAt: '2001-01-01T00:00:00Z' }],
  ['unknown', { shoeSize: 42 }],
] as const) {
  test(`${questionOf('http.body.read-only-fields')} ${which}`, async ({ assignments }) => {
    const wanted = await assignments.newBody();
    const answer = await assignments.create({ ...wanted, ...more });
    if (answer.status === 422) {
      requireSuccess('the same without them', await assignments.create(wanted));
      observe('http.body.read-only-fields', 422);
    }
    const made = answer.json as Readonly<Record<string, unknown>> | undefined;
    const isIgnored = Object.entries(more).every(([name, value]) => made?.[name] !== value);
    if (answer.status === 201) observe('http.body.read-only-fields', isIgnored ? 'ignored' : undefined);
  });
}

test(questionOf('http.query.unknown-parameter'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  for (const operation of ['getExperienceAssignments', 'getExperienceConnections', 'getUsers'] as const) {
    requireSuccess('the same without it', await api.call(operation, { token, query: { accountId } }));
    const answer = await api.call(operation, { token, query: { accountId, shoeSize: 42 } });
    observe('http.query.unknown-parameter', answer.status === 200 ? 'ignored' : answer.status === 400 ? 400 : undefined);
  }
});

test(questionOf('http.query.duplicate-parameter'), async ({ api, need, assignments }) => {
  for (let made = 0; made < 3; made++) await assignments.make();
  const [token, query] = [await need('token'), { accountId: await need('account'), experienceId: await need('experience') }];
  const ask = async (...pageSize: readonly number[]) => {
    const answer = await api.call('getExperienceAssignments', { token, query: { ...query, pageSize } });
    return entitiesOf(answer)?.length ?? answer.status;
  };
  if ((await ask(1)) !== 1 || (await ask(2)) !== 2) notTestable('pages of as many as are asked for');
  const seen = `${await ask(1, 2)} ${await ask(2, 1)}`;
  const values = { '1 2': 'first', '2 1': 'last', '400 400': 400 } as const;
  observe('http.query.duplicate-parameter', values[seen as keyof typeof values]);
});

test(questionOf('http.uuid-letter-case'), async ({ api, need, assignments }) => {
  const made = await assignments.make();
  const [token, accountId] = [await need('token'), made.accountId.toUpperCase()];
  if (accountId === accountId.toLowerCase()) notTestable('an account whose id has letters');
  requireSuccess(
    'the list of the account',
    await api.call('getExperienceAssignments', { token, query: { accountId: accountId.toLowerCase() } }),
  );
  const answer = await api.call('getExperienceAssignments', { token, query: { accountId, targetType: made.targetType } });
  if (answer.status === 400) observe('http.uuid-letter-case', 'refused');
  const holdsIt = entitiesOf(answer)?.some(({ id }) => sameId(id, made.id));
  observe('http.uuid-letter-case', holdsIt ? 'accepted' : undefined);
});
