import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
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
