import { rule } from '../support/rule.ts';
import { test } from '../support/test.ts';
import { refusal, success } from '../support/verify.ts';
import { MALFORMED_TARGETS, MALFORMED_UUID } from '../support/wrong.ts';

const OPERATION = 'getExperienceConnections';

test(
  'A list with none of accountId, telephoneNumber and tn gets 400.',
  rule('connections.list.selector-required'),
  async ({ api, need }) => {
    const token = await need('token');
    success(OPERATION, await api.call(OPERATION, { token, query: { accountId: await need('account') } }), 200);
    refusal(await api.call(OPERATION, { token }), 400);
  },
);

test(
  'A list with none of accountId, telephoneNumber and tn gets 400: experienceId alone.',
  rule('connections.list.selector-required'),
  async ({ api, need }) => {
    const [token, experienceId] = [await need('token'), await need('experience')];
    success(OPERATION, await api.call(OPERATION, { token, query: { experienceId, accountId: await need('account') } }), 200);
    refusal(await api.call(OPERATION, { token, query: { experienceId } }), 400);
  },
);

test('An accountId that is not a UUID gets 400.', rule('connections.list.account-id-uuid'), async ({ api, need }) => {
  const token = await need('token');
  success(OPERATION, await api.call(OPERATION, { token, query: { accountId: await need('account') } }), 200);
  refusal(await api.call(OPERATION, { token, query: { accountId: MALFORMED_UUID } }), 400);
});

test('An experienceId that is not a UUID gets 400.', rule('connections.list.experience-id-uuid'), async ({ api, need }) => {
  const [token, accountId] = [await need('token'), await need('account')];
  success(OPERATION, await api.call(OPERATION, { token, query: { accountId, experienceId: await need('experience') } }), 200);
  refusal(await api.call(OPERATION, { token, query: { accountId, experienceId: MALFORMED_UUID } }), 400);
});

for (const [name, id] of [
  ['telephoneNumber', 'connections.list.telephone-number-format'],
  ['tn', 'connections.list.tn-format'],
] as const) {
  test(`A ${name} that is not E.164 gets 400 where it selects.`, rule(id), async ({ api, need }) => {
    const token = await need('token');
    success(OPERATION, await api.call(OPERATION, { token, query: { [name]: await need('number.second-account') } }), 200);
    refusal(await api.call(OPERATION, { token, query: { [name]: MALFORMED_TARGETS.PHONE_NUMBER } }), 400);
  });
}

for (const pageSize of ['0', '101', '-1', '1.5', 'ten']) {
  test(
    `A pageSize that is not an integer from 1 to 100 gets 400: ${pageSize}.`,
    rule('connections.list.page-size-range'),
    async ({ api, need }) => {
      const [token, accountId] = [await need('token'), await need('account')];
      success(OPERATION, await api.call(OPERATION, { token, query: { accountId, pageSize: 100 } }), 200);
      refusal(await api.call(OPERATION, { token, query: { accountId, pageSize } }), 400);
    },
  );
}
