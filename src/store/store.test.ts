import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openStore } from './store.ts';
import { freshDatabase } from './testing/postgres.ts';
import { preparedSuite } from './testing/prepared-suite.ts';
import { storeSuite } from './testing/store-suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-store-'));
after(() => rmSync(folder, { recursive: true }));
let files = 0;

const sqlite = async () => ({ data: join(folder, `${files++}.db`) });
const postgres = async () => ({ database: await freshDatabase() });

storeSuite('sqlite', sqlite);
storeSuite('postgres', postgres);
preparedSuite('sqlite', sqlite);
preparedSuite('postgres', postgres);

test('a store has one place', async () => {
  await assert.rejects(openStore({ data: 'x.db', database: 'postgres://localhost/x' }), /Give one of them/);
});
