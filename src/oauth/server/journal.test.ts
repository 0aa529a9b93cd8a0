import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createKit, type Kit } from '../../kit.ts';
import { createDatabase } from '../../store/testing/postgres.ts';
import { createFlow } from '../../testing/oauth-flow.ts';

/** Makes the database refuse journal entries that a statement with the given text inserts. */
const refuseEntries = ({ store: { db } }: Kit, text: string) =>
  sql`create or replace function refuse() returns trigger language plpgsql as ${sql.lit(`begin
    if position('${text}' in current_query()) > 0 then raise 'refused'; end if; return new; end`)};
    create or replace trigger refuse before insert on journal_entries execute function refuse()`.execute(db);

const listEntries = async ({ store: { db } }: Kit) =>
  (
    await sql<{ path: string; status: number }>`select content->'entry'->>'path' as path, (content->'entry'->>'status')::int as status
      from journal_entries order by position`.execute(db)
  ).rows.map(({ path, status }) => `${path.split('?')[0]} ${status}`);

test('on PostgreSQL, the transaction that issues a code or token also stores the journal entry', async (t) => {
  const kit = await createKit({ port: 0, database: await createDatabase() });
  t.after(() => kit.close());
  // Refuse the statement that stores entries after the response, the only one that contains `pg_notify`.
  await refuseEntries(kit, 'pg_notify');
  const client = createFlow(kit.authUrl);
  const { body } = await client.exchange(await client.obtainAuthorizationCode());
  assert.equal((await client.refresh(body.refresh_token)).status, 200);
  assert.deepEqual(await listEntries(kit), ['/auth/authorize 303', '/auth/oauth/token 200', '/auth/oauth/token 200']);
  await sql`drop trigger refuse on journal_entries`.execute(kit.store.db);
});

test('on PostgreSQL, a code stays valid if its tokens could not be stored, and the journal shows no issued token', async (t) => {
  const kit = await createKit({ port: 0, database: await createDatabase(), logLevel: 'silent' });
  t.after(() => kit.close());
  const client = createFlow(kit.authUrl);
  const code = await client.obtainAuthorizationCode();
  await refuseEntries(kit, 'insert');
  const refused = await client.exchange(code);
  assert.deepEqual([refused.status, refused.body.error, refused.headers.get('set-cookie')], [500, 'server_error', null]);
  await sql`drop trigger refuse on journal_entries`.execute(kit.store.db);
  assert.equal((await client.exchange(code)).status, 200);
  const entries = (await (await fetch(`${kit.url}/_control/requests?operation=token`)).json()) as { oauth: object; status: number }[];
  // The entries of the two requests may be stored in either order.
  assert.deepEqual(
    entries.map(({ status, oauth }) => [status, 'issued' in oauth] as const).toSorted(([one], [other]) => one - other),
    [
      [200, true],
      [500, false],
    ],
  );
});
