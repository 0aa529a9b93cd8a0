import { randomUUID } from 'node:crypto';
import type { Client } from '../actors/client.ts';
import { unlessUnknown } from '../expect/unless-unknown.ts';
import { refusal, success } from '../expect/verify.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Need } from '../target/need.ts';
import { MALFORMED_TARGETS, MALFORMED_UUID } from '../target/sample-values.ts';

const OPERATION = 'getExperienceConnections';
const NO_UUIDS = [
  ['a word', MALFORMED_UUID],
  ['letters beyond f', 'zzzzzzzz-zzzz-4zzz-8zzz-zzzzzzzzzzzz'],
  ['more after a UUID', `${randomUUID()}-and-more`],
] as const;

/** The list that succeeds, before the same with one change is refused. */
async function answered(api: Client, need: Need, query: Readonly<Record<string, string | number>>): Promise<void> {
  const known = [
    ...(query.accountId ? ['account' as const] : ['numbers' as const]),
    ...(query.experienceId ? ['experience' as const] : []),
  ];
  const answer = await api.call(OPERATION, { token: await need('token'), query });
  success(OPERATION, await unlessUnknown(need, answer, ...known), 200);
}

test(
  'A list with none of accountId, telephoneNumber and tn gets 400.',
  rule('connections.list.selector-required'),
  async ({ api, need }) => {
    const token = await need('token');
    await answered(api, need, { accountId: await need('account.any') });
    refusal(await api.call(OPERATION, { token }), 400);
  },
);

test(
  'A list with none of accountId, telephoneNumber and tn gets 400: experienceId alone.',
  rule('connections.list.selector-required'),
  async ({ api, need }) => {
    const [token, experienceId] = [await need('token'), await need('experience.any')];
    await answered(api, need, { experienceId, accountId: await need('account.any') });
    refusal(await api.call(OPERATION, { token, query: { experienceId } }), 400);
  },
);

for (const [what, wrong] of NO_UUIDS) {
  test(`An accountId that is not a UUID gets 400: ${what}.`, rule('connections.list.account-id-uuid'), async ({ api, need }) => {
    const token = await need('token');
    await answered(api, need, { accountId: await need('account.any') });
    refusal(await api.call(OPERATION, { token, query: { accountId: wrong } }), 400);
  });

  test(`An experienceId that is not a UUID gets 400: ${what}.`, rule('connections.list.experience-id-uuid'), async ({ api, need }) => {
    const [token, accountId] = [await need('token'), await need('account.any')];
    await answered(api, need, { accountId, experienceId: await need('experience.any') });
    refusal(await api.call(OPERATION, { token, query: { accountId, experienceId: wrong } }), 400);
  });
}

test(
  'An accountId that is not a UUID gets 400: beside a telephoneNumber.',
  rule('connections.list.account-id-uuid'),
  async ({ api, need }) => {
    const [token, telephoneNumber] = [await need('token'), await need('number.any')];
    await answered(api, need, { telephoneNumber });
    refusal(await api.call(OPERATION, { token, query: { accountId: MALFORMED_UUID, telephoneNumber } }), 400);
  },
);

test(
  'An experienceId that is not a UUID gets 400: beside a telephoneNumber.',
  rule('connections.list.experience-id-uuid'),
  async ({ api, need }) => {
    const [token, telephoneNumber] = [await need('token'), await need('number.any')];
    await answered(api, need, { telephoneNumber, experienceId: await need('experience.any') });
    refusal(await api.call(OPERATION, { token, query: { telephoneNumber, experienceId: MALFORMED_UUID } }), 400);
  },
);

for (const [name, id] of [
  ['telephoneNumber', 'connections.list.telephone-number-format'],
  ['tn', 'connections.list.tn-format'],
] as const) {
  test(`A ${name} that is not E.164 gets 400 where it selects.`, rule(id), async ({ api, need }) => {
    const token = await need('token');
    await answered(api, need, { [name]: await need('number.any') });
    refusal(await api.call(OPERATION, { token, query: { [name]: MALFORMED_TARGETS.PHONE_NUMBER } }), 400);
  });
}

// Of the two it is telephoneNumber that selects.
test(
  'A telephoneNumber that is not E.164 gets 400 where it selects: beside a tn.',
  rule('connections.list.telephone-number-format'),
  async ({ api, need }) => {
    const [token, tn] = [await need('token'), await need('number.any')];
    await answered(api, need, { tn });
    refusal(await api.call(OPERATION, { token, query: { telephoneNumber: MALFORMED_TARGETS.PHONE_NUMBER, tn } }), 400);
  },
);

for (const pageSize of ['0', '101', '-1', '1.5', 'ten', '10connections']) {
  test(
    `A pageSize that is not an integer from 1 to 100 gets 400: ${pageSize}.`,
    rule('connections.list.page-size-range'),
    async ({ api, need }) => {
      const [token, accountId] = [await need('token'), await need('account.any')];
      await answered(api, need, { accountId, pageSize: 100 });
      refusal(await api.call(OPERATION, { token, query: { accountId, pageSize } }), 400);
    },
  );
}
