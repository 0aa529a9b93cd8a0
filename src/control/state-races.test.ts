import assert from 'node:assert/strict';
import { sql, type Transaction } from 'kysely';
import { FailureError } from '../contract/failure.ts';
import { deleteAccount, deleteNumber } from '../service/accounts.ts';
import { createAssignment, deleteAssignment } from '../service/assignments.ts';
import { deleteUser } from '../service/users.ts';
import { lockAccount } from '../store/accounts.ts';
import { updateConnectionState } from '../store/connections.ts';
import type { Tables } from '../store/schema.ts';
import { waitForBlockedTransaction } from '../store/testing/waiting.ts';
import { type Lab, onPostgres, onSqlite } from './testing/state-lab.ts';

const PORTAL_ACTOR = { kind: 'portal' } as const;
const PLATFORM_ACTOR = { kind: 'platform' } as const;
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

const [sqlite, postgres] = [onSqlite(), onPostgres()];
for (const check of [sqlite, postgres]) {
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

type Work = (tx: Transaction<Tables>) => Promise<unknown>;

/** Runs `writer` while a transaction holds a lock, by default on the account `north`. That transaction runs `lastWork` before it ends. */
async function runWhileBlocked<T>(lab: Lab, writer: () => Promise<T>, lastWork: Work, lock?: Work): Promise<T> {
  const accountId = await lab.getId('accounts', 'north');
  let waiting: Promise<T> | undefined;
  await lab.context.store.write(async (tx) => {
    await (lock ? lock(tx) : lockAccount(tx, accountId));
    waiting ??= writer();
    // Without this handler, an early rejection of `waiting` would end the process.
    waiting.catch(() => {});
    await waitForBlockedTransaction(lab.context.store.db);
    await lastWork(tx);
  });
  return waiting!;
}

// On PostgreSQL, a row that a writer has read may have changed by the time the writer gets its lock.

postgres('if a deletion waits for another change to the connection, the deletion has the later updatedAt', async (lab) => {
  const id = await lab.getId('connections', 'north-desk');
  const updatedAt = '2026-03-01T13:00:00.000Z';
  await runWhileBlocked(
    lab,
    () => lab.send('DELETE connections/north-desk'),
    (tx) => updateConnectionState.executeWrite(tx, { id, state: 'INACTIVE', updatedAt }),
  );
  const [event] = await lab.listEvents();
  assert.equal(event?.data.updatedAt, '2026-03-01T13:00:00.001Z');
});

postgres('if a new assignment waits for a lock while its user is deleted, the assignment is refused', async (lab) => {
  const { context } = lab;
  const user = { id: await lab.getId('users', 'bob'), accountId: await lab.getId('accounts', 'north'), updatedAt: '' };
  const input = { experienceId: await lab.getId('experiences', 'lobby'), targetType: 'USER', targetValue: user.id } as const;
  const result = await runWhileBlocked(
    lab,
    () => createAssignment(context, PORTAL_ACTOR, input),
    (tx) => deleteUser(tx, context, PLATFORM_ACTOR, { ...user, createdAt: '2026-01-01T00:00:00.000Z' }),
  );
  assert.ok(!('assignment' in result), JSON.stringify(result));
});

postgres('if the number of a new assignment moves to another account and is then deleted, no assignment to it remains', async (lab) => {
  const { context } = lab;
  const number = '+12065550101';
  const [south, experienceId] = [await lab.getId('accounts', 'south'), await lab.getId('experiences', 'lobby')];
  let assigning: Promise<unknown> | undefined;
  await context.store.write(async (tx) => {
    // Stops the assignment's creation after it has read the number again.
    await sql`lock table assignments in access exclusive mode`.execute(tx);
    const accountId = await lab.getId('accounts', 'north');
    await context.store.write(async (moving) => {
      await lockAccount(moving, accountId);
      assigning = createAssignment(context, PORTAL_ACTOR, { experienceId, targetType: 'PHONE_NUMBER', targetValue: number });
      assigning.catch(() => {});
      await waitForBlockedTransaction(context.store.db);
      await sql`update telephone_numbers set account_id = ${south} where number = ${number}`.execute(moving);
    });
    await waitForBlockedTransaction(context.store.db);
    // A deletion would wait for this lock.
    const { rows } = await sql`select id from accounts where id = ${south} for update skip locked`.execute(tx);
    if (rows.length > 0) await deleteNumber(tx, context, PLATFORM_ACTOR, number);
  });
  await assigning;
  const { telephoneNumbers, assignments } = await lab.dump();
  const targets = Object.values(assignments!).map(({ target }) => target);
  assert.deepEqual([telephoneNumbers![number]?.account, targets.includes(number)], ['south', true]);
});

postgres('if an experience is deleted at the same time as its assignment, deleting the assignment gets 404', async (lab) => {
  const { id } = await lab.send('POST assignments', { experience: 'spare', targetType: 'ACCOUNT', target: 'north' });
  const experienceId = await lab.getId('experiences', 'spare');
  const result = await runWhileBlocked(
    lab,
    () => deleteAssignment(lab.context, PORTAL_ACTOR, id),
    async (tx) => {
      await tx.deleteFrom('assignments').where('id', '=', id).execute();
      await tx.deleteFrom('experiences').where('id', '=', experienceId).execute();
    },
    (tx) => sql`lock table experiences in access exclusive mode`.execute(tx),
  );
  assert.equal('status' in result && result.status, 404, JSON.stringify(result));
});

const BLOCKED_REQUESTS: readonly [request: string, body: object | undefined, refusal: RegExp][] = [
  ['POST users', { account: 'north' }, /There is no account "north"/],
  ['POST telephoneNumbers', { alias: '+12065550700', account: 'north' }, /There is no account "north"/],
  ['POST connections', { account: 'north', experience: 'lobby' }, /^control\.invalid: .*no such account/],
  ['PATCH users/ada', { firstName: 'A' }, /There is no user "ada"/],
  ['DELETE users/ada', undefined, /There is no user "ada"/],
  ['PATCH accounts/north', { name: 'Nord' }, /There is no account "north"/],
  ['PATCH connections/north-desk', { state: 'INACTIVE' }, /^control\.not-found: .*no such connection/],
  ['DELETE connections/north-desk', undefined, /^control\.not-found: .*no such connection/],
];
for (const [request, body, refusal] of BLOCKED_REQUESTS) {
  postgres(`${request} is refused if the account is deleted while the request waits`, async (lab) => {
    const accountId = await lab.getId('accounts', 'north');
    // This decision sets the status of responses by the service. The control API must ignore it.
    lab.setDecisions({ 'connections.create.unknown-account-or-experience': 404 });
    const work = runWhileBlocked(
      lab,
      () => lab.send(request, body),
      (tx) => deleteAccount(tx, lab.context, PLATFORM_ACTOR, accountId),
    );
    await assert.rejects(work, { message: refusal });
  });
}
