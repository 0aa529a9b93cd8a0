import { must } from '../support/broken.ts';
import type { ShownConnection } from '../support/connections.ts';
import { OPERATIONS, test } from '../support/general-test.ts';
import type { Assignment } from '../support/make-assignment.ts';
import { among, listed } from '../support/pages.ts';
import { rule } from '../support/rule.ts';
import { sameId } from '../support/same-id.ts';
import { refusal, success } from '../support/verify.ts';

const FORMS = [
  ['prefixed', 'http.path-forms.prefixed-served', 'Every operation answers under its prefixed form'],
  ['flat', 'http.path-forms.flat-served', 'Every operation answers under its flat form'],
] as const;

for (const [form, id, title] of FORMS) {
  for (const operation of OPERATIONS) {
    test(`${title}: ${operation}.`, rule(id), async ({ api, calls, need }) => {
      test.skip(api.form !== form, 'not-applicable: it is judged where this form is');
      success(operation, await calls.send(operation, { ...(await calls.of(operation)), token: await need('token') }));
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
  const list = await listed(api, 'getExperienceAssignments', { token, query: { targetType, targetValue }, form });
  must(among(list, [made]).length === 1, 'it is listed under the other form');
  success('deleteExperienceAssignment', await api.call('deleteExperienceAssignment', { token, path, form }), 204);
  refusal(await api.call('getExperienceAssignment', { token, path }), 404);
});

test(`${SAME}: a connection.`, rule('http.path-forms.same-operation'), async ({ api, calls, need }) => {
  const form = api.form === 'flat' ? 'prefixed' : 'flat';
  const token = await need('token');
  // Made through the form of the check, updated through the other, read through both, deleted through the other.
  const update = await calls.of('updateExperienceConnection');
  const { path } = update;
  const before = success<ShownConnection>(
    'getExperienceConnection',
    await api.call('getExperienceConnection', { token, path: path!, form }),
    200,
  );
  success('updateExperienceConnection', await api.call('updateExperienceConnection', { ...update, token, form }));
  const answer = await api.call('getExperienceConnection', { token, path: path! });
  const after = success<ShownConnection>('getExperienceConnection', answer, 200);
  must(
    before.state === undefined || (before.state === 'INACTIVE' && after.state === 'ACTIVE'),
    'the state written through the other form is read',
    answer,
  );
  success('deleteExperienceConnection', await api.call('deleteExperienceConnection', { token, path: path!, form }));
  refusal(await api.call('getExperienceConnection', { token, path: path! }), 404);
});
