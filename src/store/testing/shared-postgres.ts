// Starts one PostgreSQL server for all tests. Node runs this file first (`--test-global-setup`).
import { SHARED_SERVER_URL, startServer } from './postgres.ts';

export async function globalSetup(): Promise<void> {
  process.env[SHARED_SERVER_URL] = await startServer();
}
