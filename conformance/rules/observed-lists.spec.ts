import { randomUUID } from 'node:crypto';
import { cursorOf, type Entity, entitiesOf, type ListOperation, listAll } from '../actors/lists.ts';
import type { Parts } from '../actors/sample-calls.ts';
import { sameId } from '../expect/compare.ts';
import { type ConnectionKey, isConnection } from '../expect/connection.ts';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import { MALFORMED_TARGETS, UNKNOWN_TARGETS } from '../target/sample-values.ts';

interface List {
  readonly operation: ListOperation;
  readonly query: Readonly<Record<string, string>>;
  /** One function for each of the three entities that were created, in the order of their creation. */
  readonly created: readonly ((entity: Entity) => boolean)[];
}

/** The lists of assignments and of connections, each with three new entities. */
async function createLists({ need, assignments, connections }: Parts): Promise<readonly List[]> {
  const [ids, keys] = [[] as string[], [] as ConnectionKey[]];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await assignments.make()).id);
    keys.push(await connections.make());
  }
  return [
    {
      operation: 'getExperienceAssignments',
      query: { accountId: await need('account'), experienceId: await need('experience') },
      created: ids.map((id) => (entity) => sameId(entity.id, id)),
    },
    {
      operation: 'getExperienceConnections',
      query: { accountId: await need('account.second') },
      created: keys.map((key) => (entity) => isConnection(entity, key)),
    },
  ];
}

test(questionOf('lists.order'), async ({ api, need, assignments, connections }) => {
  for (const { operation, query, created } of await createLists({ need, assignments, connections })) {
    const list = await listAll(api, operation, { token: await need('token'), query });
    const [first = -1, second = -1, third = -1] = created.map((isIt) => list.findIndex(isIt));
    if (first >= 0 && first < second && second < third) observe('lists.order', 'newest-last');
    if (third >= 0 && third < second && second < first) observe('lists.order', 'newest-first');
  }
});

test(questionOf('lists.cursor.invalid'), async ({ api, need, assignments, connections }) => {
  const token = await need('token');
  const lists = await createLists({ need, assignments, connections });
  const firstPages: Answer[] = [];
  for (const { operation, query } of lists)
    firstPages.push(requireSuccess('the first page', await api.call(operation, { token, query: { ...query, pageSize: 1 } })));
  const cursors = firstPages.map((page) => cursorOf(page) ?? notTestable('a page that is not the last, with a cursor'));
  for (const [index, { operation, query }] of lists.entries()) {
    const content = (answer: Answer) => JSON.stringify(entitiesOf(answer));
    // A malformed cursor, and one of another list.
    for (const cursor of [`~${cursors[index]}`, cursors[1 - index]]) {
      const answer = await api.call(operation, { token, query: { ...query, pageSize: 1, cursor } });
      observeStatus('lists.cursor.invalid', answer);
      if (content(answer) === '[]' && cursorOf(answer) === undefined) observe('lists.cursor.invalid', 'empty');
      if (content(answer) === content(firstPages[index]!)) observe('lists.cursor.invalid', 'first-page');
    }
  }
});

test(questionOf('lists.hidden-account'), async ({ api, has, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  const hidden = has('account.hidden') ? [await need('account.hidden')] : [];
  for (const operation of ['getExperienceAssignments', 'getExperienceConnections'] as const) {
    requireSuccess('the list of an accessible account', await api.call(operation, { token, query: { accountId } }));
    for (const id of [randomUUID(), ...hidden]) {
      const answer = await api.call(operation, { token, query: { accountId: id } });
      observeStatus('lists.hidden-account', answer);
      if (entitiesOf(answer)?.length === 0) observe('lists.hidden-account', 'empty');
    }
  }
});

test(questionOf('lists.page-size'), async ({ api, need, assignments, connections }) => {
  for (const { operation, query } of await createLists({ need, assignments, connections })) {
    const answer = await api.call(operation, { token: await need('token'), query: { ...query, pageSize: 77 } });
    const held = entitiesOf(requireSuccess('a page', answer))?.length;
    const { pageSize } = answer.json as { pageSize?: unknown };
    if (held === 77) notTestable('a list that is shorter than a page');
    observe('lists.page-size', pageSize === 77 ? 'asked-for' : pageSize === held ? 'held' : undefined);
  }
});

test(questionOf('assignments.list.page-size-out-of-range'), async ({ api, need, assignments }) => {
  for (let count = 0; count < 2; count += 1) await assignments.make();
  const [token, query] = [await need('token'), { accountId: await need('account'), experienceId: await need('experience') }];
  const list = (pageSize: number) => api.call('getExperienceAssignments', { token, query: { ...query, pageSize } });
  if (entitiesOf(await list(2))?.length !== 2) notTestable('a page of as many as are asked for');
  const [below, above] = [await list(0), await list(101)];
  for (const answer of [below, above]) observeStatus('assignments.list.page-size-out-of-range', answer);
  if (entitiesOf(below)?.length === 1 && entitiesOf(above)) observe('assignments.list.page-size-out-of-range', 'clamped');
});

test(questionOf('assignments.list.account-with-target'), async ({ api, need, assignments }) => {
  const { accountId: ownAccount, targetType, targetValue } = await assignments.make();
  const token = await need('token');
  const list = (accountId?: string) => api.call('getExperienceAssignments', { token, query: { accountId, targetType, targetValue } });
  requireSuccess('the list of the target', await list());
  const [own, other] = [await list(ownAccount), await list(await need('account.second'))];
  if (own.status === other.status) observeStatus('assignments.list.account-with-target', own);
  if (entitiesOf(own)?.length === 1 && entitiesOf(other)?.length === 0) observe('assignments.list.account-with-target', 'and');
});

test(questionOf('connections.list.unknown-number'), async ({ api, need }) => {
  const token = await need('token');
  const list = (telephoneNumber: string) => api.call('getExperienceConnections', { token, query: { telephoneNumber } });
  requireSuccess('the list by a number', await list(await need('number.second-account')));
  const answer = await list(UNKNOWN_TARGETS.PHONE_NUMBER());
  observeStatus('connections.list.unknown-number', answer);
  if (entitiesOf(answer)?.length === 0) observe('connections.list.unknown-number', 'empty');
});

test(questionOf('connections.list.malformed-tn-beside-number'), async ({ api, need }) => {
  const [token, telephoneNumber] = [await need('token'), await need('number.second-account')];
  const list = (tn?: string) => api.call('getExperienceConnections', { token, query: { telephoneNumber, tn } });
  requireSuccess('the list by a number', await list());
  const answer = await list(MALFORMED_TARGETS.PHONE_NUMBER);
  observeStatus('connections.list.malformed-tn-beside-number', answer);
  if (answer.status === 200) observe('connections.list.malformed-tn-beside-number', 'ignored');
});

test(questionOf('users.list.count-hidden-account'), async ({ api, need }) => {
  const call = { token: await need('token'), query: { accountId: await need('account.hidden') } };
  const { count } = requireSuccess('a list of users', await api.call('getUsers', call)).json as { count?: unknown };
  observe('users.list.count-hidden-account', count === 0 ? 'zero' : count === undefined ? 'absent' : undefined);
});

test(questionOf('users.list.sort-fields'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  const canSortBy = async (sortBy: string) => {
    const list = async (sortOrder: string) => entitiesOf(await api.call('getUsers', { token, query: { accountId, sortBy, sortOrder } }));
    return (await list('asc')) !== undefined && (await list('desc')) !== undefined;
  };
  const isOrdered = await canSortBy('createdAt');
  const others = [await canSortBy('updatedAt'), await canSortBy('firstName'), await canSortBy('lastName')];
  if (isOrdered && others.every((sorted) => sorted)) observe('users.list.sort-fields', 'all');
  if (isOrdered && others.every((sorted) => !sorted)) observe('users.list.sort-fields', 'createdAt');
});
