import assert from 'node:assert/strict';
import { sql, type Transaction } from 'kysely';
import { deleteAccount } from '../../../service/accounts.ts';
import { createAssignment, deleteAssignment } from '../../../service/assignments.ts';
import { deleteUser } from '../../../service/users.ts';
import { lockAccount } from '../../../store/accounts.ts';
import { updateConnectionState } from '../../../store/connections.ts';
import type { Tables } from '../../../store/schema.ts';
import { type Check, idOf, type Lab } from './lab.ts';

const PORTAL = { kind: 'portal' } as const;

type Work = (tx: Transaction<Tables>) => Promise<unknown>;

/** Starts a writer while another transaction holds a lock, on the account north by default. The other transaction works once the writer waits. */
async function behind<T>(lab: Lab, writer: () => Promise<T>, other: Work, lock?: Work): Promise<T> {
  const accountId = await idOf(lab, 'accounts', 'north');
  let waiting: Promise<T> | undefined;
  await lab.context.store.write(async (tx) => {
    await (lock ? lock(tx) : lockAccount(tx, accountId));
    waiting ??= writer();
    // Rejected later than it is awaited, else an error for the whole process.
    waiting.catch(() => {});
    await someoneWaits(lab);
    await other(tx);
  });
  return waiting!;
}

async function someoneWaits({ context: { store } }: Lab): Promise<void> {
  for (;;) {
    const { rows } =
      await sql`select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())
      union all select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
    if (rows.length > 0) return;
  }
}

/** What a writer may have seen is not true any more when it gets the account: on PostgreSQL, where writers wait for each other in the middle. */
export function lockOrder(check: Check): void {
  check('a deleted connection tells a later updatedAt than the change that it waited for', async (lab) => {
    const id = await idOf(lab, 'connections', 'north-desk');
    const updatedAt = '2026-03-01T13:00:00.000Z';
    await behind(
      lab,
      () => lab.remove('connections', 'north-desk'),
      (tx) => updateConnectionState.change(tx, { id, state: 'INACTIVE', updatedAt }),
    );
    assert.deepEqual(
      (await lab.events()).map(({ data }) => data.updatedAt),
      ['2026-03-01T13:00:00.001Z'],
    );
  });

  check('an assignment that waited while its user was deleted is refused', async (lab) => {
    const { context } = lab;
    const user = { id: await idOf(lab, 'users', 'bob'), accountId: await idOf(lab, 'accounts', 'north'), createdAt: '', updatedAt: '' };
    const input = { experienceId: await idOf(lab, 'experiences', 'lobby'), targetType: 'USER', targetValue: user.id } as const;
    const result = await behind(
      lab,
      () => createAssignment(context, PORTAL, input),
      (tx) => deleteUser(tx, context, { ...user, createdAt: '2026-01-01T00:00:00.000Z' }),
    );
    assert.ok(!('assignment' in result), JSON.stringify(result));
  });

  check('deleting an assignment whose Experience was deleted at the same time gets 404', async (lab) => {
    const { alias } = await lab.create('assignments', { experience: 'spare', targetType: 'ACCOUNT', target: 'north' });
    const [id, experienceId] = [await idOf(lab, 'assignments', alias), await idOf(lab, 'experiences', 'spare')];
    const result = await behind(
      lab,
      () => deleteAssignment(lab.context, PORTAL, id),
      async (tx) => {
        await tx.deleteFrom('assignments').where('id', '=', id).execute();
        await tx.deleteFrom('experiences').where('id', '=', experienceId).execute();
      },
      (tx) => sql`lock table experiences in access exclusive mode`.execute(tx),
    );
    assert.equal('refused' in result && result.refused, 404, JSON.stringify(result));
  });

  check('what waited while its account was deleted is refused as if it had come later', async (lab) => {
    const accountId = await idOf(lab, 'accounts', 'north');
    const refused = (work: () => Promise<unknown>) => async () => {
      const error = await work().then(
        () => undefined,
        (it: unknown) => it,
      );
      return error instanceof Error ? error.message : 'it was done';
    };
    const writers: [() => Promise<unknown>, RegExp][] = [
      [() => lab.create('users', { account: 'north' }), /There is no account "north"/],
      [() => lab.create('telephoneNumbers', { alias: '+12065550700', account: 'north' }), /There is no account "north"/],
      [() => lab.create('connections', { account: 'north', experience: 'lobby' }), /^invalid: .*account is not known/],
      [() => lab.patch('users', 'ada', { firstName: 'A' }), /There is no user "ada"/],
      [() => lab.remove('users', 'ada'), /There is no user "ada"/],
      [() => lab.patch('accounts', 'north', { name: 'Nord' }), /There is no account "north"/],
      [() => lab.patch('connections', 'north-desk', { state: 'INACTIVE' }), /^not-found: .*no such connection/],
      [() => lab.remove('connections', 'north-desk'), /^not-found: .*no such connection/],
    ];
    // Whichever status the API answers with, the operator gets the same kind of refusal.
    lab.decide({ 'connections.create.unknown-account-or-experience': 404 });
    const world = await lab.dump();
    for (const [writer, message] of writers) {
      assert.match(await behind(lab, refused(writer), (tx) => deleteAccount(tx, lab.context, accountId)), message);
      await lab.load(world);
    }
  });
}
