import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, requestMessage, resolveRepositoryFile, startNode, startReceiver } from '../processes.ts';
import { createProfileRow } from '../profile.ts';
import { calculateSpread, type Row, type Scenario } from '../report.ts';
import type { DeliveriesSetup, DeliveryResult } from '../servers/deliveries.ts';

const DELIVERY_COUNT = 8000;
const SUBSCRIPTION_COUNT = 8;
/** The kit sends this many concurrent requests for eight subscriptions, so the baseline does too. */
const CONCURRENCY = 64;

export const measureDeliveries: Scenario = async ({ rounds }, log) => {
  await using receiver = await startReceiver();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-deliveries-'));
  const runDeliveries = async (setup: Pick<DeliveriesSetup, 'by' | 'data' | 'profiled'>): Promise<DeliveryResult> => {
    const all: DeliveriesSetup = {
      url: receiver.url,
      deliveries: DELIVERY_COUNT,
      subscriptions: SUBSCRIPTION_COUNT,
      atOnce: CONCURRENCY,
      ...setup,
    };
    const child = startNode('server', [resolveRepositoryFile('tools/bench/servers/deliveries.ts'), JSON.stringify(all)]);
    const delivered = await requestMessage<DeliveryResult>(child);
    await endProcess(child);
    return delivered;
  };
  const ratios: Record<'in memory' | 'durable', { wall: number[]; cpu: number[] }> = {
    'in memory': { wall: [], cpu: [] },
    durable: { wall: [], cpu: [] },
  };
  for (let round = 1; round <= rounds; round++) {
    log(`round ${round}`);
    const agent = await runDeliveries({ by: 'agent' });
    for (const [kind, { wall, cpu }] of Object.entries(ratios)) {
      const kit = await runDeliveries({ by: 'kit', ...(kind === 'durable' && { data: join(folder.path, `${round}.db`) }) });
      wall.push(agent.wallMs / kit.wallMs);
      cpu.push(agent.cpuMs / kit.cpuMs);
    }
    log(`the plain loop sent ${Math.round((DELIVERY_COUNT / agent.wallMs) * 1000)} requests/s`);
  }
  const profiles: Row[] = [];
  for (const kind of ['in memory', 'durable']) {
    const { profile } = await runDeliveries({
      by: 'kit',
      profiled: true,
      ...(kind === 'durable' && { data: join(folder.path, 'kit.db') }),
    });
    profiles.push(createProfileRow(`deliveries (${kind})`, profile!));
  }
  const rows = Object.entries(ratios).map(
    ([kind, { wall, cpu }]): Row => ({
      what: `deliveries (${kind}), from the outbox to the acknowledgement`,
      against: 'a plain undici loop',
      unit: 'x',
      figures: { 'requests/s': calculateSpread(wall), 'CPU/request': calculateSpread(cpu) },
      target: { atLeast: kind === 'durable' ? 0.7 : 0.8 },
    }),
  );
  return [...rows, ...profiles];
};
