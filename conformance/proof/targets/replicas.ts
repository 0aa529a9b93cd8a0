import { createKit } from '../../../src/kit.ts';
import { createDatabase } from '../../../src/store/testing/postgres.ts';
import { createKitTarget } from '../kit-target.ts';
import type { OpenServer } from '../server.ts';
import { startRoundRobin } from './round-robin.ts';

export async function openThreeReplicas(): Promise<OpenServer> {
  const database = await createDatabase();
  const addresses: string[] = [];
  const cleanup = new AsyncDisposableStack();
  const proxy = await startRoundRobin(addresses);
  for (let started = 0; started < 3; started++) {
    const replica = cleanup.use(await createKit({ port: 0, database, publicUrl: proxy.url }));
    addresses.push(`http://127.0.0.1:${replica.port}`);
  }
  cleanup.use(proxy);
  return createKitTarget(proxy.url, () => cleanup.disposeAsync());
}
