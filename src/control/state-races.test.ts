import assert from 'node:assert/strict';
import { FailureError } from '../contract/failure.ts';
import { createAssignment } from '../service/assignments.ts';
import { onPostgres, onSqlite } from './testing/state-lab.ts';

const PORTAL_ACTOR = { kind: 'portal' } as const;
const WRITER_COUNT = 8;

/** @returns the number of writers that succeeded @throws any failure that is not a refusal */
async function countSuccessfulWriters(writers: readonly (() => Promise<unknown>)[]): Promise<number> {
  const outcomes = await Promise.allSettled(writers.map((write) => write()));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
  for (const failure of failures) if (!(failure instanceof FailureError)) throw failure;
  return outcomes.length - failures.length;
}

const createWriters = <T>(work: (n: number) => T): (() => T)[] => Array.from({ length: WRITER_COUNT }, (_, n) => () => work(n));

const SINGLE_SUCCESS_REQUESTS: Readonly<Record<string, (n: number) => readonly [request: string, body?: object]>> = {
  'an alias': () => ['POST users', { alias: 'new', account: 'north' }],
  'an id': (n) => ['POST accounts', { alias: `new-${n}`, id: '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11', name: 'X' }],
  'a telephone number': () => ['POST telephoneNumbers', { alias: '+12065550300', account: 'north' }],
  'a native id': (n) => ['POST users', { account: n % 2 ? 'north' : 'south', nativeIds: [{ style: 'base62', id: 'N' }] }],
  'a connection': () => ['POST connections', { account: 'south', experience: 'desk' }],
  'the alias of a connection': (n) => [
    'POST connections',
    { alias: 'new', account: 'south', experience: ['desk', 'spare', 'kiosk'][n % 3]! },
  ],
  'an assignment': () => ['POST assignments', { experience: 'lobby', targetType: 'USER', target: 'cy' }],
  'the assignment of one number to several AGENT experiences': (n) => [
    'POST assignments',
    { experience: n % 2 ? 'desk' : 'kiosk', targetType: 'PHONE_NUMBER', target: '+12065550200' },
  ],
  'the deletion of a user': () => ['DELETE users/bob'],
  'the deletion of an account': () => ['DELETE accounts/north'],
  'the state of a connection': () => ['PATCH connections/south-lobby', { state: 'ACTIVE' }],
};

for (const check of [onSqlite(), onPostgres()]) {
  for (const [what, request] of Object.entries(SINGLE_SUCCESS_REQUESTS)) {
    check(`if several writers send a request for ${what} at once, exactly one succeeds, and each event is published once`, async (lab) => {
      assert.equal(await countSuccessfulWriters(createWriters((n) => lab.send(...request(n)))), 1);
      const events = (await lab.listEvents()).map(({ type, entityId, experienceId }) => `${type} ${entityId} ${experienceId}`);
      assert.deepEqual(events, [...new Set(events)]);
    });
  }

  check('no assignment outlives the user, number or account that it is assigned to', async (lab) => {
    const { users, accounts, experiences } = await lab.dump();
    const targets = [
      ['USER', users!.ada!.id!],
      ['USER', users!.bob!.id!],
      ['PHONE_NUMBER', '+12065550101'],
      ['ACCOUNT', accounts!.south!.id!],
    ] as const;
    const assigning = ['lobby', 'spare', 'kiosk'].flatMap((experience) =>
      targets.map(([targetType, targetValue]) => {
        const input = { experienceId: experiences![experience]!.id!, targetType, targetValue };
        return () => createAssignment(lab.context, PORTAL_ACTOR, input);
      }),
    );
    const deletedEntities = ['users/ada', 'accounts/south', 'telephoneNumbers/+12065550101', 'accounts/north'];
    await countSuccessfulWriters(
      assigning.flatMap((assign, i) => (i % 3 === 0 ? [assign, () => lab.send(`DELETE ${deletedEntities[i / 3]!}`)] : [assign])),
    );
    const after = await lab.dump();
    assert.deepEqual([after.accounts, after.users, after.telephoneNumbers, after.assignments, after.connections], Array(5).fill(undefined));
    const count = async (type: string) => (await lab.listEvents()).filter((event) => event.type === `experience.assignment.${type}`).length;
    assert.equal(
      await count('deleted'),
      (await count('created')) + 3,
      "there is one event for each created assignment, and for the world's three assignments",
    );
  });

  check(
    'if an account is deleted while users and numbers are created in it, each creation is refused, or its entity is deleted with the account',
    async (lab) => {
      const creating = createWriters((n) => lab.send('POST users', { alias: `new-${n}`, account: 'north' }));
      const adding = createWriters((n) => lab.send('POST telephoneNumbers', { alias: `+1206555070${n}`, account: 'north' }));
      const deleteNorth = () => lab.send('DELETE accounts/north');
      await countSuccessfulWriters([...creating.slice(0, 4), ...adding.slice(0, 4), deleteNorth, ...creating.slice(4), ...adding.slice(4)]);
      const { users, telephoneNumbers } = await lab.dump();
      assert.deepEqual(Object.keys({ ...users, ...telephoneNumbers }), ['cy', '+12065550200']);
    },
  );

  check('an experience is not deleted while it is connected or assigned', async (lab) => {
    await lab.send('PUT experiences/new', { provider: 'acme', name: 'New' });
    const won = await countSuccessfulWriters([
      () => lab.send('DELETE experiences/new'),
      () => lab.send('POST connections', { account: 'north', experience: 'new' }),
      () => lab.send('DELETE experiences/new'),
      () => lab.send('POST assignments', { experience: 'new', targetType: 'USER', target: 'cy' }),
    ]);
    assert.ok(won >= 1);
  });

  check('if several requests add levels at once, all levels are stored', async (lab) => {
    await countSuccessfulWriters(createWriters((n) => lab.send(`PUT accounts/a${n}`, { name: 'X' })));
    assert.equal(
      await countSuccessfulWriters(createWriters((n) => lab.send('PATCH principals/ann', { accounts: { [`a${n}`]: 'read' } }))),
      WRITER_COUNT,
    );
    const { accounts } = await lab.send('GET principals/ann');
    assert.equal(Object.keys(accounts as object).length, WRITER_COUNT + 1);
  });

  check('if a connection is changed and deleted at the same time, its events are in updatedAt order', async (lab) => {
    const changing = createWriters((n) => lab.send('PATCH connections/south-lobby', { state: n % 2 ? 'INACTIVE' : 'ACTIVE' }));
    await countSuccessfulWriters([...changing, () => lab.send('DELETE connections/south-lobby'), ...changing]);
    const events = await lab.listEvents();
    const instants = events.map(({ data }) => data.updatedAt);
    assert.deepEqual(instants, [...new Set(instants)].toSorted());
    assert.equal(events.at(-1)?.type, 'experience.connection.deleted');
  });
}
