import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Client } from '../actors/api-client.ts';
import { type Assignment, createAssignments } from '../actors/assignments.ts';
import { expectEventAtSubscription, waitForEvent } from '../actors/change-events.ts';
import { changeAssignments, changeConnections } from '../actors/changes.ts';
import { createConnections } from '../actors/connections.ts';
import type { Ledger } from '../actors/ledger.ts';
import { filterListed, requestAllEntities } from '../actors/lists.ts';
import type { Participants } from '../actors/participants.ts';
import { OPERATION_IDS } from '../actors/sample-calls.ts';
import { isSameId } from '../expect/compare.ts';
import type { ConnectionInResponse } from '../expect/connection.ts';
import { expectEffect, expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotApplicable } from '../target/check-report.ts';

for (const form of ['prefixed', 'flat'] as const) {
  for (const operation of OPERATION_IDS) {
    test(...rule(`http.path-forms.${form}-served`, operation), async ({ api, calls, need }) => {
      if (api.form !== form) endAsNotApplicable(`the rule is about the ${form} path form`);
      const call = await calls.createCall(operation);
      await calls.expectSuccess(operation, { ...call, token: await need('token') });
      await calls.requireTokenCheck(operation, call);
    });
  }
}

const selectOtherForm = ({ form }: Client): PathForm => (form === 'flat' ? 'prefixed' : 'flat');

const createClientFor = (form: PathForm, api: Client): Client => ({
  ...api,
  form,
  call: (operation, call) => api.call(operation, { ...call, form }),
});

test(...rule('http.path-forms.same-operation', 'an assignment'), async ({ api, need, assignments }) => {
  const [form, token] = [selectOtherForm(api), await need('token')];
  const created = expectSuccess<Assignment>('createExperienceAssignment', await assignments.create(await assignments.createBody()), 201);
  const { id, targetType, targetValue } = created;
  const read = await assignments.read(id, { form });
  must(
    isSameId(expectSuccess<Assignment>('getExperienceAssignment', read, 200).id, id),
    'both path forms return the same assignment',
    read,
  );
  expectSuccess('getExperienceAssignment', await assignments.read(id), 200);
  const list = await requestAllEntities(api, 'getExperienceAssignments', { token, query: { targetType, targetValue }, form });
  must(filterListed(list, [created]).length === 1, 'the assignment is listed under the other path form');
  expectSuccess('deleteExperienceAssignment', await assignments.remove(id, { form }), 204);
  expectStatus(await assignments.read(id), 404);
});

test(...rule('http.path-forms.same-operation', 'a connection'), async ({ api, need, ledger, connections }) => {
  const other = createConnections(createClientFor(selectOtherForm(api), api), need, ledger);
  const connection = await connections.createOrThrow({ state: 'INACTIVE' });
  const readConnectionThrough = async (pathConnections: typeof other) => {
    const answer = await pathConnections.read(connection);
    const shown = expectSuccess<ConnectionInResponse>('getExperienceConnection', answer, 200);
    must(shown.id === undefined || isSameId(shown.id, connection.id), 'both path forms return the same connection', answer);
    return { answer, shown };
  };
  const { shown: before } = await readConnectionThrough(other);
  await readConnectionThrough(connections);
  const { accountId, experienceId } = connection;
  await other.expectListed({ accountId, experienceId }, connection);
  const update = await other.update(connection, 'ACTIVE');
  expectSuccess('updateExperienceConnection', update);
  await expectEffect(update, async () => {
    const { answer, shown: after } = await readConnectionThrough(connections);
    const isUpdated = before.state === undefined || (before.state === 'INACTIVE' && after.state === 'ACTIVE');
    must(isUpdated, 'the response shows the state that was written under the other path form', answer);
  });
  const deletion = await other.remove(connection);
  expectSuccess('deleteExperienceConnection', deletion);
  await expectEffect(deletion, async () => expectStatus(await connections.read(connection), 404));
});

async function* makeChangesThroughPathForm(form: PathForm, { ledger, ...all }: Participants & { readonly ledger: Ledger }) {
  const api = createClientFor(form, all.api);
  const [connections, assignments] = [createConnections(api, all.need, ledger), createAssignments(api, all.need, ledger)];
  const participants: Participants = { ...all, api, connections, assignments, has: () => false };
  // Match only the entity's own id, because events about other changes may contain the same Experience id.
  for await (const change of changeConnections(participants)) yield { ...change, ids: [change.ids[0]] };
  for await (const change of changeAssignments(participants)) yield { ...change, ids: [change.ids[0]] };
}

test(...rule('http.path-forms.same-operation', 'events are published under each path form'), async ({ api, ledger, participants }) => {
  const form = selectOtherForm(api);
  for await (const change of makeChangesThroughPathForm(api.form, { ...participants, ledger })) await waitForEvent(change);
  for await (const change of makeChangesThroughPathForm(form, { ...participants, ledger }))
    await expectEventAtSubscription({ inbox: change.inbox, name: `for a change under the ${form} path form` }, change);
});
