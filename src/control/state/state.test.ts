import { freshDatabase } from '../../store/testing/postgres.ts';
import { goodWrites } from './testing/good-writes.ts';
import { labTests } from './testing/lab.ts';
import { lockOrder } from './testing/lock-order.ts';
import { publishedEvents } from './testing/published-events.ts';
import { races } from './testing/races.ts';
import { refusedWrites } from './testing/refused-writes.ts';

const sqlite = labTests('sqlite', async () => ({}));
const postgres = labTests('postgres', async () => ({ database: await freshDatabase() }));

for (const check of [sqlite, postgres]) {
  goodWrites(check);
  refusedWrites(check);
  publishedEvents(check);
  races(check);
}
lockOrder(postgres);
