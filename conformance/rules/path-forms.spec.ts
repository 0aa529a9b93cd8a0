import { must } from '../../src/expect/rule-broken.ts';
import { isSameId } from '../../src/expect/same-id.ts';
import type { Assignment } from '../actors/assignments.ts';
import { filterListed, requestAllEntities } from '../actors/lists.ts';
import { OPERATION_IDS } from '../actors/sample-calls.ts';
import { expectStatus, expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { endAsNotApplicable } from '../target/check-report.ts';

for (const form of ['prefixed', 'flat'] as const) {
  for (const operation of OPERATION_IDS) {
    test(...rule(`http.path-forms.${form}-served`, operation), async ({ api, calls }) => {
      if (api.form !== form) endAsNotApplicable(`the rule is about the ${form} path form`);
      const call = await calls.createCall(operation);
      await calls.expectSuccess(operation, call);
      await calls.requireTokenCheck(operation, call);
    });
  }
}

test(...rule('http.path-forms.same-operation'), async ({ api, need, assignments }) => {
  const [form, token] = [api.form === 'flat' ? 'prefixed' : 'flat', await need('token')] as const;
  const created = expectSuccess<Assignment>(await assignments.create(await assignments.createBody()), 201);
  const { id, targetType, targetValue } = created;
  const read = await assignments.read(id, { form });
  must(isSameId(expectSuccess<Assignment>(read, 200).id, id), 'both path forms return the same assignment', read);
  expectSuccess(await assignments.read(id), 200);
  const list = await requestAllEntities(api, 'getExperienceAssignments', { token, query: { targetType, targetValue }, form });
  must(filterListed(list, [created]).length === 1, 'the assignment is listed under the other path form');
  expectSuccess(await assignments.remove(id, { form }), 204);
  expectStatus(await assignments.read(id), 404);
});
