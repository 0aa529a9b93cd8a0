import { randomUUID } from 'node:crypto';
import { cursorOf, type Entity, entitiesOf, type ListOperation, listAll } from '../actors/lists.ts';
import type { Parts } from '../actors/sample-calls.ts';
import { sameId } from '../expect/compare.ts';
import { isConnection } from '../expect/connection.ts';
import { observe, observeStatus, questionOf } from '../expect/observed.ts';
import { requireSuccess } from '../expect/response.ts';
import { test } from '../runner/test.ts';
import type { Answer } from '../target/exchange.ts';
import { notTestable } from '../target/not-testable.ts';
import { MALFORMED_TARGETS, UNKNOWN_TARGETS } from '../target/sample-values.ts';

interface List {
  readonly operation: ListOperation;
  readonly query: Readonly<Record<string, string>>;
  /** Whether an item of the list is one of the three that were made, in the order in which they were. */
  readonly made: readonly ((entity: Entity) => boolean)[];
}

/** The lists of assignments and of connections, each with three items. */
async function lists({ need, assignments, connections }: Parts): Promise<readonly List[]> {
  const [ids, keys] = [[] as string[], [] as Parameters<typeof isConnection>[1][]];
  for (let made = 0; made < 3; made++) {
    ids.push((await assignments.make()).id);
    keys.push(await connections.make());
  }
  return [
    {
      operation: 'getExperienceAssignments',
      query: { accountId: await need('account'), experienceId: await need('experience') },
      made: ids.map((id) => (entity) => sameId(entity.id, id)),
    },
    {
      operation: 'getExperienceConnections',
      query: { accountId: await need('account.second') },
      made: keys.map((key) => (entity) => isConnection(entity, key)),
    },
  ];
}

test(questionOf('lists.order'), async ({ api, need, assignments, connections }) => {
  for (const { operation, query, made } of await lists({ need, assignments, connections })) {
    const list = await listAll(api, operation, { token: await need('token'), query });
    const [first = -1, second = -1, third = -1] = made.map((isIt) => list.findIndex(isIt));
    if (first >= 0 && first < second && second < third) observe('lists.order', 'newest-last');
    if (third >= 0 && third < second && second < first) observe('lists.order', 'newest-first');
  }
});

test(questionOf('lists.cursor.invalid'), async ({ api, need, assignments, connections }) => {
  const token = await need('token');
  const known = await lists({ need, assignments, connections });
  const firsts: Answer[] = [];
  for (const { operation, query } of known) {
    firsts.push(requireSuccess('the first page', await api.call(operation, { token, query: { ...query, pageSize: 1 } })));
  }
  const cursors = firsts.map((first) => cursorOf(first) ?? notTestable('a page that is not the last, with a cursor'));
  for (const [index, { operation, query }] of known.entries()) {
    const held = (answer: Answer) => JSON.stringify(entitiesOf(answer));
    for (const cursor of [`~${cursors[index]}`, cursors[1 - index]]) {
      const answer = await api.call(operation, { token, query: { ...query, pageSize: 1, cursor } });
      observeStatus('lists.cursor.invalid', answer);
      if (held(answer) === '[]' && cursorOf(answer) === undefined) observe('lists.cursor.invalid', 'empty');
      if (held(answer) === held(firsts[index]!)) observe('lists.cursor.invalid', 'first-page');
    }
  }
});

test(questionOf('lists.hidden-account'), async ({ api, has, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  const hidden = has('account.hidden') ? [await need('account.hidden')] : [];
  for (const operation of ['getExperienceAssignments', 'getExperienceConnections'] as const) {
    requireSuccess('the list of an account in reach', await api.call(operation, { token, query: { accountId } }));
    for (const id of [randomUUID(), ...hidden]) {
      const answer = await api.call(operation, { token, query: { accountId: id } });
      observeStatus('lists.hidden-account', answer);
      if (entitiesOf(answer)?.length === 0) observe('lists.hidden-account', 'empty');
    }
  }
});

test(questionOf('lists.page-size'), async ({ api, need, assignments, connections }) => {
  for (const { operation, query } of await lists({ need, assignments, connections })) {
    const answer = await api.call(operation, { token: await need('token'), query: { ...query, pageSize: 77 } });
    const held = entitiesOf(requireSuccess('a page', answer))?.length;
    const { pageSize } = answer.json as { pageSize?: unknown };
    if (held === 77) notTestable('a list that is shorter than a page');
    observe('lists.page-size', pageSize === 77 ? 'asked-for' : pageSize === held ? 'held' : undefined);
  }
});

test(questionOf('assignments.list.page-size-out-of-range'), async ({ api, need, assignments }) => {
  for (let made = 0; made < 2; made++) await assignments.make();
  const [token, query] = [await need('token'), { accountId: await need('account'), experienceId: await need('experience') }];
  const ask = (pageSize: number) => api.call('getExperienceAssignments', { token, query: { ...query, pageSize } });
  if (entitiesOf(await ask(2))?.length !== 2) notTestable('a page of as many as are asked for');
  const [below, above] = [await ask(0), await ask(101)];
  for (const answer of [below, above]) observeStatus('assignments.list.page-size-out-of-range', answer);
  if (entitiesOf(below)?.length === 1 && entitiesOf(above)) observe('assignments.list.page-size-out-of-range', 'clamped');
});

test(questionOf('assignments.list.account-with-target'), async ({ api, need, assignments }) => {
  const { accountId, targetType, targetValue } = await assignments.make();
  const ask = async (id?: string) =>
    api.call('getExperienceAssignments', { token: await need('token'), query: { accountId: id, targetType, targetValue } });
  requireSuccess('the list of the target', await ask());
  const [own, other] = [await ask(accountId), await ask(await need('account.second'))];
  if (own.status === other.status) observeStatus('assignments.list.account-with-target', own);
  if (entitiesOf(own)?.length === 1 && entitiesOf(other)?.length === 0) observe('assignments.list.account-with-target', 'and');
});

test(questionOf('connections.list.unknown-number'), async ({ api, need }) => {
  const ask = async (telephoneNumber: string) =>
    api.call('getExperienceConnections', { token: await need('token'), query: { telephoneNumber } });
  requireSuccess('the list by a number', await ask(await need('number.second-account')));
  const answer = await ask(UNKNOWN_TARGETS.PHONE_NUMBER());
  observeStatus('connections.list.unknown-number', answer);
  if (entitiesOf(answer)?.length === 0) observe('connections.list.unknown-number', 'empty');
});

test(questionOf('connections.list.malformed-tn-beside-number'), async ({ api, need }) => {
  const query = { telephoneNumber: await need('number.second-account') };
  const ask = async (more: { tn?: string } = {}) =>
    api.call('getExperienceConnections', { token: await need('token'), query: { ...query, ...more } });
  requireSuccess('the list by a number', await ask());
  const answer = await ask({ tn: MALFORMED_TARGETS.PHONE_NUMBER });
  observeStatus('connections.list.malformed-tn-beside-number', answer);
  if (answer.status === 200) observe('connections.list.malformed-tn-beside-number', 'ignored');
});
