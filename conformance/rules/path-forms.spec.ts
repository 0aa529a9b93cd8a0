import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Client } from '../actors/api-client.ts';
import { assignmentChanges } from '../actors/assignment-changes.ts';
import { type Assignment, createAssignments } from '../actors/assignments.ts';
import { type Change, expectEventAt, waitForEvent } from '../actors/change-events.ts';
import { connectionChanges } from '../actors/connection-changes.ts';
import { createConnections } from '../actors/connections.ts';
import { foundIn, listAll } from '../actors/lists.ts';
import type { Participants } from '../actors/participants.ts';
import { OPERATIONS } from '../actors/sample-calls.ts';
import { sameId } from '../expect/compare.ts';
import { isConnection, type ShownConnection } from '../expect/connection.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Ledger } from '../target/ledger.ts';
import { fill } from '../target/template.ts';

for (const [form, id, title] of [
  ['prefixed', 'http.path-forms.prefixed-served', 'Every operation answers under its prefixed form'],
  ['flat', 'http.path-forms.flat-served', 'Every operation answers under its flat form'],
] as const) {
  for (const operation of OPERATIONS) {
    test(`${title}: ${operation}.`, rule(id), async ({ api, calls, connections, need }) => {
      test.skip(api.form !== form, 'not-applicable: the project of the other form checks it');
      // A sample call may read the connection, which must not be what is checked here.
      const isOfConnection = operation === 'getExperienceConnection' || operation === 'deleteExperienceConnection';
      const call = isOfConnection ? { path: { experienceConnectionId: (await connections.make()).id } } : await calls.of(operation);
      await calls.expectSuccess(operation, { ...call, token: await need('token') });
      await calls.requireTokenCheck(operation, call);
    });
  }
}

const SAME = 'Both path forms are the same operation: what is written through one is read through the other';

const otherForm = ({ form }: Client): PathForm => (form === 'flat' ? 'prefixed' : 'flat');

test(`${SAME}: an assignment.`, rule('http.path-forms.same-operation'), async ({ api, need, assignments }) => {
  const [form, token] = [otherForm(api), await need('token')];
  const created = expectSuccess<Assignment>('createExperienceAssignment', await assignments.create(await assignments.newBody()), 201);
  const { id, targetType, targetValue } = created;
  const read = await assignments.read(id, { form });
  must(sameId(expectSuccess<Assignment>('getExperienceAssignment', read, 200).id, id), 'it is the same assignment', read);
  expectSuccess('getExperienceAssignment', await assignments.read(id), 200);
  const list = await listAll(api, 'getExperienceAssignments', { token, query: { targetType, targetValue }, form });
  must(foundIn(list, [created]).length === 1, 'it is listed under the other form');
  expectSuccess('deleteExperienceAssignment', await assignments.remove(id, { form }), 204);
  expectStatus(await assignments.read(id), 404);
});

test(`${SAME}: a connection.`, rule('http.path-forms.same-operation'), async ({ api, need, connections }) => {
  const [form, token] = [otherForm(api), await need('token')];
  const connection = await connections.make({ state: 'INACTIVE' });
  const { id, ...pair } = connection;
  const path = { experienceConnectionId: id };
  const read = async (under: PathForm) => {
    const answer = await api.call('getExperienceConnection', { token, path, form: under });
    const shown = expectSuccess<ShownConnection>('getExperienceConnection', answer, 200);
    must(shown.id === undefined || sameId(shown.id, id), 'it is the same connection', answer);
    return { answer, shown };
  };
  const { shown: before } = await read(form);
  await read(api.form);
  const list = await listAll(api, 'getExperienceConnections', { token, query: pair, form });
  const isListed = list.some((shown) => isConnection(shown, connection));
  must(isListed, 'it is listed under the other form');
  const body = fill(await need('bodies.connectionUpdate'), { ...pair, state: 'ACTIVE' });
  expectSuccess('updateExperienceConnection', await api.call('updateExperienceConnection', { token, path, body, form }));
  const { answer, shown: after } = await read(api.form);
  const isUpdated = before.state === undefined || (before.state === 'INACTIVE' && after.state === 'ACTIVE');
  must(isUpdated, 'the state written through the other form is read', answer);
  expectSuccess('deleteExperienceConnection', await api.call('deleteExperienceConnection', { token, path, form }));
  expectStatus(await api.call('getExperienceConnection', { token, path }), 404);
});

/** Creates, changes and deletes a connection and an assignment through one path form only. */
async function* changesThrough(form: PathForm, { ledger, ...all }: Participants & { readonly ledger: Ledger }): AsyncGenerator<Change> {
  const { need } = all;
  const api: Client = { ...all.api, form, call: (operation, call) => all.api.call(operation, { ...call, form }) };
  const [connections, assignments] = [createConnections(api, need, ledger), createAssignments(api, need, ledger)];
  const participants: Participants = { ...all, api, connections, assignments, has: () => false };
  // Found by their own ids, as both forms may use the same Experience.
  for await (const change of connectionChanges(participants)) yield { ...change, ids: [change.connection.id] };
  for await (const change of assignmentChanges(participants)) yield { ...change, ids: [change.assignment.id] };
}

test(
  'Both path forms are the same operation: what is written through one publishes what it publishes through the other.',
  rule('http.path-forms.same-operation'),
  async ({ api, ledger, participants }) => {
    const form = otherForm(api);
    for await (const change of changesThrough(api.form, { ...participants, ledger })) await waitForEvent(change);
    for await (const change of changesThrough(form, { ...participants, ledger }))
      await expectEventAt({ inbox: change.inbox, name: `for a change through the ${form} form` }, change);
  },
);
