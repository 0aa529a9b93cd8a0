import assert from 'node:assert/strict';
import { sql, type Transaction } from 'kysely';
import { deleteAccount, deleteNumber } from '../service/accounts.ts';
import { createAssignment, deleteAssignment } from '../service/assignments.ts';
import { deleteConnection } from '../service/connections.ts';
import { deleteUser } from '../service/users.ts';
import { lockAccount } from '../store/accounts.ts';
import { updateConnectionState } from '../store/connections.ts';
import type { Tables } from '../store/schema.ts';
import { waitForBlockedTransaction } from '../store/testing/waiting.ts';
import { type Lab, onPostgres } from './testing/state-lab.ts';

// On PostgreSQL, a row that a writer has read may have changed by the time the writer gets its lock.

const PORTAL_ACTOR = { kind: 'portal' } as const;
const PLATFORM_ACTOR = { kind: 'platform' } as const;
const postgres = onPostgres();

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
    (tx) => deleteUser({ tx, context, actor: PLATFORM_ACTOR }, { ...user, createdAt: '2026-01-01T00:00:00.000Z' }),
  );
  assert.ok(!('assignment' in result), JSON.stringify(result));
});

const NUMBER = '+12065550101';

/**
 * Moves the number to the account `south` while `writer` waits for a lock on `north`. Then stops the writer before it changes `table`, and
 * runs `other` if the writer has not locked `south`, because `other` would wait for this lock.
 */
async function runWhileNumberMoves(lab: Lab, table: string, writer: () => Promise<unknown>, other: Work): Promise<void> {
  const { store } = lab.context;
  const [north, south] = [await lab.getId('accounts', 'north'), await lab.getId('accounts', 'south')];
  let waiting: Promise<unknown> | undefined;
  await store.write(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    await store.write(async (moving) => {
      await lockAccount(moving, north);
      waiting = writer();
      waiting.catch(() => {});
      await waitForBlockedTransaction(store.db);
      await sql`update telephone_numbers set account_id = ${south} where number = ${NUMBER}`.execute(moving);
    });
    await waitForBlockedTransaction(store.db);
    const { rows } = await sql`select id from accounts where id = ${south} for update skip locked`.execute(store.db);
    if (rows.length > 0) await other(tx);
  });
  await waiting;
}

postgres('if the number of a new assignment moves to another account and is then deleted, no assignment to it remains', async (lab) => {
  const { context } = lab;
  const input = { experienceId: await lab.getId('experiences', 'lobby'), targetType: 'PHONE_NUMBER', targetValue: NUMBER } as const;
  const assign = () => createAssignment(context, PORTAL_ACTOR, input);
  await runWhileNumberMoves(lab, 'assignments', assign, (tx) => deleteNumber({ tx, context, actor: PLATFORM_ACTOR }, NUMBER));
  const { telephoneNumbers, assignments } = await lab.dump();
  const targets = Object.values(assignments!).map(({ target }) => target);
  assert.deepEqual([telephoneNumbers![NUMBER]?.account, targets.includes(NUMBER)], ['south', true]);
});

postgres('if the number of a waiting deletion moves to another account, no assignment to the deleted number remains', async (lab) => {
  const input = { experienceId: await lab.getId('experiences', 'lobby'), targetType: 'PHONE_NUMBER', targetValue: NUMBER } as const;
  const deleteMoved = () => lab.send(`DELETE telephoneNumbers/${NUMBER}`);
  await runWhileNumberMoves(lab, 'changes', deleteMoved, () => createAssignment(lab.context, PORTAL_ACTOR, input));
  const { telephoneNumbers, assignments } = await lab.dump();
  const targets = Object.values(assignments!).map(({ target }) => target);
  assert.deepEqual([NUMBER in telephoneNumbers!, targets.includes(NUMBER)], [false, false]);
});

postgres('if the numbers of all accounts prevent a deletion, no number is assigned between the check and the deletion', async (lab) => {
  const { context } = lab;
  lab.setDecisions({ 'connections.delete.blocking-numbers': 'experience', 'portal.delete-with-numbers': 'refused' });
  const [id, experienceId] = [await lab.getId('connections', 'south-lobby'), await lab.getId('experiences', 'lobby')];
  const assign = () => createAssignment(context, PORTAL_ACTOR, { experienceId, targetType: 'PHONE_NUMBER', targetValue: '+12065550101' });
  let deleting: Promise<unknown> | undefined;
  let assigning: Promise<unknown> | undefined;
  await context.store.write(async (tx) => {
    // Stops the deletion after it has read the numbers.
    await sql`select id from connections where id = ${id} for update`.execute(tx);
    deleting = deleteConnection(context, PORTAL_ACTOR, id);
    deleting.catch(() => {});
    await waitForBlockedTransaction(context.store.db);
    // An assignment would wait for this lock.
    const { rows } = await sql`select id from experiences where id = ${experienceId} for key share skip locked`.execute(context.store.db);
    if (rows.length > 0) assigning = assign();
    await assigning;
  });
  await deleting;
  await (assigning ?? assign());
  const types = (await lab.listEvents()).map(({ type }) => type).filter((type) => type !== 'experience.connection.deactivated');
  assert.deepEqual(types, ['experience.connection.deleted', 'experience.assignment.created']);
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
      (tx) => deleteAccount({ tx, context: lab.context, actor: PLATFORM_ACTOR }, accountId),
    );
    await assert.rejects(work, { message: refusal });
  });
}
