import { must } from '../../src/expect/rule-broken.ts';
import { HOSTILE_NUMBERS } from '../../src/refusals/hostile-values.ts';
import { failEndlessList, type Page, repeatIfBroken, requestAllPages, requestPage } from '../actors/lists.ts';
import { type ConnectionInResponse, isConnection, serializeDocumentedMembers } from '../expect/connection.ts';
import { expectStatus } from '../expect/response.ts';
import { runInOneWorker } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

const OPERATION = 'getExperienceConnections';

test(...rule('connections.list.shape'), async ({ connections }) => {
  const connection = await connections.createOrThrow();
  await connections.expectListed({ accountId: connection.accountId }, connection);
});

test(...rule('connections.list.by-account'), async ({ need, connections }) => {
  const connection = await connections.createOrThrow();
  await connections.expectListed({ accountId: connection.accountId }, connection);
  await connections.expectNotListed({ accountId: await need('account') }, connection);
});

interface Side {
  readonly account: string;
  readonly number: string;
}

for (const [id, createQuery] of [
  ['connections.list.by-telephone-number', (own: Side) => ({ telephoneNumber: own.number })],
  ['connections.list.by-tn', (own: Side) => ({ tn: own.number })],
  ['connections.list.telephone-number-wins', (own: Side, other: Side) => ({ telephoneNumber: own.number, tn: other.number })],
  [
    'connections.list.account-wins',
    (own: Side, other: Side) => ({ accountId: own.account, telephoneNumber: other.number, tn: other.number }),
  ],
] as const) {
  test(...rule(id), async ({ need, connections }) => {
    const connection = await connections.createOrThrow();
    const own = { account: connection.accountId, number: await need('number.second-account') };
    const other = { account: await need('account'), number: await (await need('numbers'))() };
    await connections.expectListed(createQuery(own, other), connection);
    await connections.expectNotListed(createQuery(other, own), connection);
  });
}

test(...rule('connections.list.account-wins', 'with malformed numbers'), async ({ connections }) => {
  const connection = await connections.createOrThrow();
  await connections.expectListed({ accountId: connection.accountId, telephoneNumber: HOSTILE_NUMBERS[0]!.value }, connection);
  await connections.expectListed({ accountId: connection.accountId, tn: HOSTILE_NUMBERS[0]!.value }, connection);
});

test(...rule('connections.list.by-experience'), async ({ connections }) => {
  const [connection, other] = [await connections.createOrThrow(), await connections.createOrThrow()];
  const { accountId, experienceId } = connection;
  await connections.expectListed({ accountId, experienceId }, connection);
  await connections.expectNotListed({ accountId, experienceId }, other);
});

test(...rule('connections.list.only-visible'), async ({ api, need, connections }) => {
  const [connection, outsider] = [await connections.createOrThrow(), await need('token.outsider')];
  const query = { accountId: connection.accountId };
  await connections.expectListed(query, connection);
  // If the caller may not view the account, the specification permits an empty list, 403 or 404.
  const answer = await api.call(OPERATION, { token: outsider, query });
  if (answer.status === 200) await connections.expectNotListed(query, connection, outsider);
  else expectStatus(answer, 403, 404);
});

runInOneWorker(() => {
  test(...rule('connections.list.default-page-size'), async ({ api, need }) => {
    const query = { accountId: await need('account.many-connections') };
    const { entities, cursor, answer } = await requestPage(api, OPERATION, { token: await need('token'), query });
    must(entities.length === 100 && cursor, 'in a list of more than 100 connections, the first page contains 100 and has a cursor', answer);
  });

  for (const pageSize of [1, 2, 100]) {
    test(...rule('connections.list.page-size', pageSize), async ({ api, need, has, connections }) => {
      const token = await need('token');
      const hasMany = has('account.many-connections');
      if (!hasMany) for (let count = 0; count < 3; count += 1) await connections.createOrThrow();
      const query = { accountId: await need(hasMany ? 'account.many-connections' : 'account.second'), pageSize };
      const first = await requestPage(api, OPERATION, { token, query });
      const least = hasMany ? pageSize : Math.min(pageSize, 3);
      must(first.entities.length <= pageSize, `a page contains no more than ${pageSize} connections`, first.answer);
      must(first.entities.length >= least, `in a list of at least ${least} connections, the first page contains ${least}`, first.answer);
    });
  }
});

test(...rule('connections.list.cursor'), async ({ api, need, connections }) => {
  const created = [await connections.createOrThrow(), await connections.createOrThrow(), await connections.createOrThrow()];
  const call = { token: await need('token'), query: { accountId: await need('account.second'), pageSize: 1 } };
  let pages: readonly Page<ConnectionInResponse>[] = [];
  await repeatIfBroken([api, OPERATION, call], async () => {
    pages = await requestAllPages(api, OPERATION, call, failEndlessList);
    const all: readonly ConnectionInResponse[] = pages.flatMap(({ entities }) => entities);
    for (const key of created)
      must(all.filter((shown) => isConnection(shown, key)).length === 1, `the pages contain ${key.id} once`, pages.at(-1)?.answer);
  });
  const serialize = (page: Page<ConnectionInResponse> | undefined) => page?.entities.map(serializeDocumentedMembers).join();
  const again = await requestPage<ConnectionInResponse>(api, OPERATION, call);
  if (serialize(again) === serialize(pages[0])) return;
  // Another client may have created a connection since, or may have changed or deleted the first connection.
  const isNew = again.entities.some(({ id }) => !pages.some(({ entities }) => entities.some((shown) => shown.id === id)));
  const [first] = pages[0]!.entities;
  const { json } = await connections.read({ id: first?.id ?? '' });
  if (isNew || (first && serializeDocumentedMembers(Object(json)) !== serializeDocumentedMembers(first)))
    endAsNotTestable('other clients change the list during the check');
  must(false, 'a request without a cursor returns the first page', again.answer);
});
