// What `node --test --test-global-setup` runs before all tests: one PostgreSQL for all of them, as each start of one costs as much as many tests.
import { SHARED, startServer } from './postgres.ts';

export async function globalSetup(): Promise<void> {
  process.env[SHARED] = await startServer();
}
