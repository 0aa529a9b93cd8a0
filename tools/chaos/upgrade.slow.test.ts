import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createKit, type Kit } from '../../src/kit.ts';
import { migrations } from '../../src/store/migrations.ts';
import { createDatabase } from '../../src/store/testing/postgres.ts';
import { exampleRows } from '../../src/store/testing/rows.ts';
import { createChaosWorld, EXPERIENCE_ID, sendRequest } from './kits.ts';
import { findProblems, Ledger } from './ledger.ts';
import { readEntities } from './reads.ts';
import { parseEvent, startEndpoint } from './receivers.ts';
import { startWriters } from './writers.ts';

/** The migrations of a newer version. The current version must work with the changed tables. */
const newerMigrations = {
  ...migrations,
  '9999-next': {
    postgres: `
    ${Object.keys(exampleRows)
      .map((table) => `alter table ${table} add column added_later text not null default 'x';`)
      .join('\n')}
    create table added_later (id text);
    create index "users:last_name:later" on users (last_name);
    select pg_sleep(0.3);`,
  },
};

test('while new replicas migrate the database, and afterwards, old replicas return no errors and lose no write', async () => {
  const delivered = new Map<string, Set<string>>();
  await using receiver = await startEndpoint((body, response) => {
    delivered.set(parseEvent(body).name, new Set(['subscription-0']));
    response.writeHead(204).end();
  });
  const set = { 'lists.read-model-lag': 1 };
  const settings = {
    port: 0,
    database: await createDatabase(),
    fixtures: createChaosWorld([receiver.url]),
    set,
    logLevel: 'silent',
  } as const;
  const started: Kit[] = [];
  await using cleanup = new AsyncDisposableStack();
  const start = async (known = migrations) => {
    const kit = cleanup.use(await createKit(settings, { migrations: known }));
    started.push(kit);
    return kit;
  };
  const old = await start();
  const { token = '' } = await old.tokens();
  const { id: account } = JSON.parse((await sendRequest(old.url, 'GET', '/_control/state/accounts/account')).text);
  const kits: (Kit | undefined)[] = [old, undefined, undefined];
  const ledger = new Ledger();
  const stopWriters = startWriters({ kits, ledger, token, writersPerKit: 2, mayWrite: () => true });
  const failures = new Set<string>();
  let isReading = true;
  const paths = [
    `/experience/assignments?accountId=${account}`,
    `/users?accountId=${account}`,
    `/experience/experiences/${EXPERIENCE_ID}/assignability?targetType=ACCOUNT&targetValue=${account}`,
    ...['state', 'state/users', 'events', 'deliveries', 'changes', 'requests', 'faults', 'health'].map((path) => `/_control/${path}`),
  ];
  const reading = paths.map(async (path) => {
    while (isReading) {
      for (const { url } of started) {
        const { ok, status, text } = await sendRequest(url, 'GET', path, undefined, token);
        // PostgreSQL may cancel a read that blocks the migration. The kit then returns 503.
        if (!ok && status !== 503) failures.add(`${path}: ${text}`);
      }
    }
  });
  const stopLoad = async () => {
    isReading = false;
    await Promise.all([stopWriters(), ...reading]);
  };
  cleanup.defer(stopLoad);

  await ledger.waitForWrites(20);
  [kits[1], kits[2]] = await Promise.all([start(newerMigrations), start(newerMigrations)]);
  await ledger.waitForWrites(60);
  await assert.rejects(start(), /A newer kit version has changed the tables .* \(with migration 9999-next/);
  await stopLoad();
  assert.deepEqual([ledger.cutOff, ledger.refusals, [...failures]], [0, [], []]);
  while (ledger.events.some((event) => !delivered.has(event))) await pause(1);
  const problems = findProblems({ existing: await readEntities(old.url), ledger, delivered, subscriptions: 1 });
  assert.deepEqual(Object.values(problems).flat(), []);

  for (const { url } of started) {
    assert.equal((await sendRequest(url, 'PUT', '/_control/snapshots/kept')).ok, true);
    assert.equal((await sendRequest(url, 'POST', '/_control/reset', { to: 'seed' })).ok, true);
    assert.equal((await sendRequest(url, 'POST', '/_control/reset', { to: 'kept' })).ok, true);
  }
});
