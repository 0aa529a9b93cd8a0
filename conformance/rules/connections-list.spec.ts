import { must } from '../expect/broken.ts';
import { connectionPage, connectionPages, documentedMembers, mustHold, type ShownConnection, shows } from '../expect/connections.ts';
import { sameId } from '../expect/same-id.ts';
import { unlessUnknown } from '../expect/unless-unknown.ts';
import { refusal, success } from '../expect/verify.ts';
import { test } from '../runner/connections-test.ts';
import { rule } from '../runner/rule.ts';
import { MALFORMED_TARGETS } from '../target/sample-values.ts';

const OPERATION = 'getExperienceConnections';
const textOf = (entities: readonly ShownConnection[] = []) => entities.map(documentedMembers).join();

test(
  'The fields of a listed connection have the types of the table.',
  rule('connections.list.shape'),
  async ({ api, need, connections }) => {
    const made = await connections.make();
    await mustHold(api, await need('token'), { accountId: made.accountId }, made);
  },
);

test(
  'The fields of a listed connection have the types of the table: one that was activated.',
  rule('connections.list.shape'),
  async ({ api, need, connections }) => {
    const made = await connections.make({ state: 'INACTIVE' });
    success('updateExperienceConnection', await connections.update(made, 'ACTIVE'));
    await mustHold(api, await need('token'), { accountId: made.accountId }, made);
  },
);

test('Listing connections needs the scope.', rule('connections.list.scope'), async ({ api, need }) => {
  const query = { accountId: await need('account.any') };
  success(OPERATION, await unlessUnknown(need, await api.call(OPERATION, { token: await need('token'), query }), 'account'), 200);
  refusal(await api.call(OPERATION, { token: (await need('token.without-scope'))['experience-connections:manage'], query }), 401, 403);
});

test('accountId selects the connections of that account.', rule('connections.list.by-account'), async ({ api, need, connections }) => {
  const [token, made, account] = [await need('token'), await connections.make(), await need('account')];
  await mustHold(api, token, { accountId: made.accountId }, made);
  for (const accountId of [made.accountId, account]) {
    for (const { entities, answer } of await connectionPages(api, token, { accountId })) {
      for (const shown of entities as readonly ShownConnection[]) {
        must(sameId(shown.accountId ?? accountId, accountId), 'all connections listed are of the account', answer);
        must(accountId !== account || !sameId(shown.id, made.id), 'the list of another account does not hold the connection', answer);
      }
    }
  }
});

for (const state of ['ACTIVE', 'INACTIVE'] as const) {
  test(
    `accountId selects the connections of that account: those that are ${state}.`,
    rule('connections.list.by-account'),
    async ({ api, need, connections }) => {
      const made = await connections.make({ state });
      await mustHold(api, await need('token'), { accountId: made.accountId }, made);
    },
  );
}

for (const [name, id] of [
  ['telephoneNumber', 'connections.list.by-telephone-number'],
  ['tn', 'connections.list.by-tn'],
] as const) {
  test(`${name} selects the connections of the account that owns the number.`, rule(id), async ({ api, need, connections }) => {
    const [token, made] = [await need('token'), await connections.make()];
    await mustHold(api, token, { [name]: await need('number.second-account') }, made);
    await mustHold(api, token, { [name]: await (await need('numbers'))() }, made, false);
  });
}

test(
  'With accountId present, telephoneNumber and tn are ignored.',
  rule('connections.list.account-wins'),
  async ({ api, need, connections }) => {
    const [token, made] = [await need('token'), await connections.make()];
    const [here, elsewhere] = [await need('number.second-account'), await (await need('numbers'))()];
    await mustHold(api, token, { accountId: made.accountId, telephoneNumber: elsewhere, tn: elsewhere }, made);
    await mustHold(api, token, { accountId: await need('account'), telephoneNumber: here, tn: here }, made, false);
  },
);

test(
  'With accountId present, telephoneNumber and tn are ignored: malformed ones.',
  rule('connections.list.account-wins'),
  async ({ api, need, connections }) => {
    const [token, made] = [await need('token'), await connections.make()];
    await mustHold(api, token, { accountId: made.accountId, telephoneNumber: MALFORMED_TARGETS.PHONE_NUMBER }, made);
    await mustHold(api, token, { accountId: made.accountId, tn: MALFORMED_TARGETS.PHONE_NUMBER }, made);
  },
);

test('telephoneNumber takes precedence over tn.', rule('connections.list.telephone-number-wins'), async ({ api, need, connections }) => {
  const [token, made] = [await need('token'), await connections.make()];
  const [here, elsewhere] = [await need('number.second-account'), await (await need('numbers'))()];
  await mustHold(api, token, { telephoneNumber: here, tn: elsewhere }, made);
  await mustHold(api, token, { telephoneNumber: elsewhere, tn: here }, made, false);
});

for (const selector of ['accountId', 'telephoneNumber'] as const) {
  test(
    `experienceId narrows the list to connections of that Experience: with ${selector}.`,
    rule('connections.list.by-experience'),
    async ({ api, need, connections }) => {
      const [token, made, other] = [await need('token'), await connections.make(), await connections.make()];
      const value = selector === 'accountId' ? made.accountId : await need('number.second-account');
      await mustHold(api, token, { [selector]: value, experienceId: made.experienceId }, made);
      await mustHold(api, token, { [selector]: value, experienceId: made.experienceId }, other, false);
      const { experienceId } = await connections.pair();
      await mustHold(api, token, { [selector]: value, experienceId }, made, false);
    },
  );
}

test(
  'experienceId narrows the list to connections of that Experience: those of the account.',
  rule('connections.list.by-experience'),
  async ({ api, need, connections }) => {
    const [token, { accountId, experienceId }, account] = [await need('token'), await connections.pair(), await need('account')];
    for (const each of [accountId, account])
      success('createExperienceConnection', await connections.create({ accountId: each, experienceId }));
    await mustHold(api, token, { accountId, experienceId }, { accountId, experienceId });
    await mustHold(api, token, { accountId, experienceId }, { accountId: account, experienceId }, false);
  },
);

test(
  'The list holds no connection that the caller has no access to.',
  rule('connections.list.only-visible'),
  async ({ api, need, connections }) => {
    const made = await connections.make();
    const query = { accountId: made.accountId };
    await mustHold(api, await need('token'), query, made);
    const answer = await api.call(OPERATION, { token: await need('token.outsider'), query });
    // An account out of reach: whether the list is empty, forbidden or not found is for the service to decide.
    if (answer.status === 200) await mustHold(api, await need('token.outsider'), query, made, false);
    else refusal(answer, 403, 404);
  },
);

test('A page of connections holds 100 items unless asked otherwise.', rule('connections.list.default-page-size'), async ({ api, need }) => {
  const { entities, cursor, answer } = await connectionPage(api, await need('token'), {
    accountId: await need('account.many-connections'),
  });
  must(entities.length === 100 && cursor, 'the first page of more than 100 connections holds 100 and has a cursor', answer);
});

for (const pageSize of [1, 2, 100]) {
  test(
    `pageSize sets how many connections a page holds: ${pageSize}.`,
    rule('connections.list.page-size'),
    async ({ api, need, has, connections }) => {
      const crowded = has('account.many-connections');
      const made = crowded ? [] : [await connections.make(), await connections.make(), await connections.make()];
      const accountId = crowded ? await need('account.many-connections') : await need('account.second');
      const { entities, cursor, answer } = await connectionPage(api, await need('token'), { accountId, pageSize });
      const least = crowded ? pageSize : Math.min(pageSize, made.length);
      must(entities.length <= pageSize, `a page holds no more than ${pageSize}`, answer);
      must(entities.length >= least, `a page holds ${least} where there are more`, answer);
      if (cursor === undefined) return;
      const second = await connectionPage(api, await need('token'), { accountId, pageSize, cursor });
      must(second.entities.length <= pageSize, `the page after holds no more than ${pageSize}`, second.answer);
    },
  );
}

test(
  'A cursor leads to the page after; without one the first page is answered.',
  rule('connections.list.cursor'),
  async ({ api, need, connections }) => {
    const made = [await connections.make(), await connections.make(), await connections.make()];
    const [token, query] = [await need('token'), { accountId: await need('account.second'), pageSize: 1 }];
    const pages = await connectionPages(api, token, query);
    const seen = pages.flatMap(({ entities }) => entities);
    for (const key of made) {
      must(seen.filter((shown) => shows(shown, key)).length === 1, `the pages together hold ${key.id} once`, pages.at(-1)?.answer);
    }
    const again = await connectionPage(api, token, query);
    must(textOf(again.entities) === textOf(pages[0]?.entities), 'without a cursor the first page is answered', again.answer);
  },
);
