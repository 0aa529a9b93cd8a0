// Starts one PostgreSQL server for all test processes. Node runs this file before all tests (`--test-global-setup`).
import { SHARED_SERVER_URL, startServer } from './postgres.ts';

export async function globalSetup(): Promise<void> {
  process.env[SHARED_SERVER_URL] = await startServer();
}
