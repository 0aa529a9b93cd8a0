import { createKit, type Kit } from '../../../src/kit.ts';
import { createDatabase } from '../../../src/store/testing/postgres.ts';
import type { KnownServer } from '../server.ts';
import { startRoundRobin } from './round-robin.ts';

export async function openThreeReplicas(): ReturnType<KnownServer['open']> {
  const database = await createDatabase();
  const addresses: string[] = [];
  const proxy = await startRoundRobin(addresses);
  const replicas: Kit[] = [];
  for (let started = 0; started < 3; started++) {
    const replica = await createKit({ port: 0, database, publicUrl: proxy.url });
    replicas.push(replica);
    addresses.push(`http://127.0.0.1:${replica.port}`);
  }
  const control = { url: proxy.url, disposable: true } as const;
  return {
    settings: { baseUrl: proxy.url, headers: {}, timeoutMs: 10_000, control, profile: {} },
    shown: { baseUrl: proxy.url, kind: 'kit' },
    notApplicable: [],
    async close() {
      await proxy.close();
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}
