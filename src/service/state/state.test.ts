import { freshDatabase } from '../../store/testing/postgres.ts';
import { goodWrites } from './testing/good-writes.ts';
import { labTests } from './testing/lab.ts';
import { refusedWrites } from './testing/refused-writes.ts';

const sqlite = labTests('sqlite', async () => ({}));
const postgres = labTests('postgres', async () => ({ database: await freshDatabase() }));

for (const check of [sqlite, postgres]) {
  refusedWrites(check);
  goodWrites(check);
}
