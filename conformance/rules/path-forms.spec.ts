import type { PathForm } from '../../src/contract/generated/operations.ts';
import type { Assignment } from '../actors/make-assignment.ts';
import { must } from '../expect/broken.ts';
import { type ShownConnection, shows } from '../expect/connections.ts';
import { among, listed } from '../expect/pages.ts';
import { sameId } from '../expect/same-id.ts';
import { refusal, success } from '../expect/verify.ts';
import { OPERATIONS, test } from '../runner/general-test.ts';
import { rule } from '../runner/rule.ts';
import { fill } from '../target/template.ts';

const FORMS = [
  ['prefixed', 'http.path-forms.prefixed-served', 'Every operation answers under its prefixed form'],
  ['flat', 'http.path-forms.flat-served', 'Every operation answers under its flat form'],
] as const;

for (const [form, id, title] of FORMS) {
  for (const operation of OPERATIONS) {
    test(`${title}: ${operation}.`, rule(id), async ({ api, calls, connections, need }) => {
      test.skip(api.form !== form, 'not-applicable: it is judged where this form is');
      // To arrange a call that works, a connection is read: that must not be what is judged here.
      const needsReading = operation === 'getExperienceConnection' || operation === 'deleteExperienceConnection';
      const good = needsReading ? { path: { experienceConnectionId: (await connections.make()).id } } : await calls.of(operation);
      await calls.succeed(operation, { ...good, token: await need('token') });
      await calls.mustHeedTokens(operation, good);
    });
  }
}

const SAME = 'Both path forms are the same operation: what is written through one is read through the other';

test(`${SAME}: an assignment.`, rule('http.path-forms.same-operation'), async ({ api, need, assignments }) => {
  const form = api.form === 'flat' ? 'prefixed' : 'flat';
  const token = await need('token');
  const made = success<Assignment>('createExperienceAssignment', await assignments.create(await assignments.wanted()), 201);
  const { targetType, targetValue } = made;
  const path = { assignmentId: made.id };
  const read = await api.call('getExperienceAssignment', { token, path, form });
  must(sameId(success<Assignment>('getExperienceAssignment', read, 200).id, made.id), 'it is the same assignment', read);
  success('getExperienceAssignment', await api.call('getExperienceAssignment', { token, path }), 200);
  const list = await listed(api, 'getExperienceAssignments', { token, query: { targetType, targetValue }, form });
  must(among(list, [made]).length === 1, 'it is listed under the other form');
  success('deleteExperienceAssignment', await api.call('deleteExperienceAssignment', { token, path, form }), 204);
  refusal(await api.call('getExperienceAssignment', { token, path }), 404);
});

test(`${SAME}: a connection.`, rule('http.path-forms.same-operation'), async ({ api, need, connections }) => {
  const form = api.form === 'flat' ? 'prefixed' : 'flat';
  const token = await need('token');
  const key = await connections.make({ state: 'INACTIVE' });
  const path = { experienceConnectionId: key.id };
  const { id: _, ...pair } = key;
  // Made through the form of the check, read through both, updated and deleted through the other.
  const read = async (under: PathForm) => {
    const answer = await api.call('getExperienceConnection', { token, path, form: under });
    const shown = success<ShownConnection>('getExperienceConnection', answer, 200);
    must(shown.id === undefined || sameId(shown.id, key.id), 'it is the same connection', answer);
    return { answer, shown };
  };
  const { shown: before } = await read(form);
  await read(api.form);
  const list = await listed(api, 'getExperienceConnections', { token, query: pair, form });
  must(
    list.some((shown) => shows(shown, key)),
    'it is listed under the other form',
  );
  const body = fill(await need('bodies.connectionUpdate'), { ...pair, state: 'ACTIVE' });
  success('updateExperienceConnection', await api.call('updateExperienceConnection', { token, path, body, form }));
  const { answer, shown: after } = await read(api.form);
  must(
    before.state === undefined || (before.state === 'INACTIVE' && after.state === 'ACTIVE'),
    'the state written through the other form is read',
    answer,
  );
  success('deleteExperienceConnection', await api.call('deleteExperienceConnection', { token, path, form }));
  refusal(await api.call('getExperienceConnection', { token, path }), 404);
});
