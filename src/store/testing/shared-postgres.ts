// Runs before all tests (`--test-global-setup`): starts one PostgreSQL server for all test processes.
import { SHARED, startServer } from './postgres.ts';

export async function globalSetup(): Promise<void> {
  process.env[SHARED] = await startServer();
}
