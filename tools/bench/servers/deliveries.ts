// Sends events to a receiver and reports the duration. The sender is a kit, or a loop with an undici Agent.
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { Agent, request } from 'undici';
// Import the kit from `src`, because `insertDelivery` from `src` cannot notify a kit from `dist`.
import { createKit } from '../../../src/kit.ts';
import { insertDelivery } from '../../../src/store/deliveries.ts';
import { countPending } from '../../../src/store/delivery-list.ts';

export interface DeliveriesSetup {
  readonly by: 'kit' | 'agent';
  /** The receiver's URL. */
  readonly url: string;
  readonly deliveries: number;
  readonly subscriptions: number;
  /** The number of requests that the loop with an undici Agent sends at once. */
  readonly atOnce: number;
  /** The path of the kit's SQLite file. If absent, the world is stored in memory. */
  readonly data?: string;
  readonly profiled?: boolean;
}

export interface DeliveryResult {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly profile?: Profiler.Profile;
}

const setup = JSON.parse(process.argv[2] ?? '{}') as DeliveriesSetup;
const { url } = setup;
const EVENT_TYPE = 'provisioning.user.created';
const EVENT_TIME = '2026-01-01T00:00:00.000Z';

function createBody(subscriptionId: string): string {
  const data = { userId: randomUUID(), accountId: randomUUID(), updatedAt: EVENT_TIME };
  return JSON.stringify({ type: EVENT_TYPE, timestamp: EVENT_TIME, subscriptionId, scope: { experienceId: randomUUID() }, data });
}

async function measure(work: () => Promise<void>): Promise<DeliveryResult> {
  if (setup.profiled) return { wallMs: 0, cpuMs: 0, profile: await profile(work) };
  const [begin, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - begin, cpuMs: (user + system) / 1000 };
}

async function profile(work: () => Promise<void>): Promise<Profiler.Profile> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  await work();
  return (await session.post('Profiler.stop')).profile;
}

async function sendByAgent(): Promise<DeliveryResult> {
  const dispatcher = new Agent({ headersTimeout: 15_000, bodyTimeout: 15_000 });
  const bodies = Array.from({ length: setup.deliveries }, () => createBody(randomUUID()));
  let next = 0;
  const sendInTurn = async () => {
    for (;;) {
      const body = bodies[next++];
      if (body === undefined) return;
      const headers = { 'content-type': 'application/json', 'webhook-id': randomUUID(), 'webhook-timestamp': '1767225600' };
      const answer = await request(url, { method: 'POST', dispatcher, headers, body });
      await answer.body.dump();
    }
  };
  const delivered = await measure(async () => void (await Promise.all(Array.from({ length: setup.atOnce }, sendInTurn))));
  await dispatcher.destroy();
  return delivered;
}

async function sendByKit(): Promise<DeliveryResult> {
  const types = [EVENT_TYPE] as const;
  const subscriptions = Object.fromEntries(
    Array.from({ length: setup.subscriptions }, (_, n) => [`s${n}`, { provider: 'p', types: [...types], destinationUrl: url }]),
  );
  const kit = await createKit({
    port: 0,
    fixtures: { world: 'bench', providers: { p: { name: 'P' } }, subscriptions } as never,
    data: setup.data,
  });
  const rows = await kit.store.db.selectFrom('subscriptions').select('id').execute();
  // With one transaction, the kit cannot send the first delivery before the last is stored.
  await kit.store.write(async (tx) => {
    for (let n = 0; n < setup.deliveries; n++) {
      const [id, subscriptionId] = [randomUUIDv7(), rows[n % rows.length]!.id];
      const event = { id, type: EVENT_TYPE, timestamp: EVENT_TIME, provider_id: 'p', experience_id: 'e', entity_id: id, data: '{}' };
      await tx.insertInto('events').values(event).execute();
      const delivery = {
        event_id: id,
        subscription_id: subscriptionId,
        body: createBody(subscriptionId),
        created_at: EVENT_TIME,
        due_at: 0,
      };
      await insertDelivery(tx, { id: randomUUIDv7(), ...delivery });
    }
  });
  const delivered = await measure(async () => {
    while ((await countPending(kit.store.db)) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  await kit.close();
  return delivered;
}

process.send!(setup.by === 'kit' ? await sendByKit() : await sendByAgent());
process.disconnect();
