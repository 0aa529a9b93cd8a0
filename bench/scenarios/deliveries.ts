import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, messageOf, repositoryFile, startNode } from '../processes.ts';
import { type Row, type Scenario, spreadOf } from '../report.ts';
import type { Delivered, DeliveriesSetup } from '../servers/deliveries.ts';

const DELIVERIES = 8000;
const SUBSCRIPTIONS = 8;
/** The number of concurrent requests of the plain loop. The kit sends the same number of concurrent requests for eight subscriptions. */
const AT_ONCE = 64;

/**
 * Measures how fast the kit delivers events, from the outbox to the stored acknowledgement. The baseline is a loop that posts the same
 * bodies with the same number of concurrent requests.
 */
export const deliveries: Scenario = async ({ rounds }, log) => {
  const receiver = startNode('load', [repositoryFile('bench/servers/receiver.mjs')]);
  const { port } = await messageOf<{ port: number }>(receiver);
  const folder = await mkdtemp(join(tmpdir(), 'bench-deliveries-'));
  const run = async (setup: Pick<DeliveriesSetup, 'by' | 'data'>): Promise<Delivered> => {
    const all: DeliveriesSetup = { port, deliveries: DELIVERIES, subscriptions: SUBSCRIPTIONS, atOnce: AT_ONCE, ...setup };
    const child = startNode('server', [repositoryFile('bench/servers/deliveries.ts'), JSON.stringify(all)]);
    const delivered = await messageOf<Delivered>(child);
    await end(child);
    return delivered;
  };
  const ratios: Record<'in memory' | 'durable', { wall: number[]; cpu: number[] }> = {
    'in memory': { wall: [], cpu: [] },
    durable: { wall: [], cpu: [] },
  };
  try {
    for (let round = 1; round <= rounds; round++) {
      log(`round ${round}`);
      const agent = await run({ by: 'agent' });
      for (const [kind, { wall, cpu }] of Object.entries(ratios)) {
        const kit = await run({ by: 'kit', ...(kind === 'durable' && { data: join(folder, `${round}.db`) }) });
        wall.push(agent.wallMs / kit.wallMs);
        cpu.push(agent.cpuMs / kit.cpuMs);
      }
      log(`the plain loop sent ${Math.round((DELIVERIES / agent.wallMs) * 1000)} requests/s`);
    }
  } finally {
    await end(receiver);
    await rm(folder, { recursive: true });
  }
  return Object.entries(ratios).map(
    ([kind, { wall, cpu }]): Row => ({
      what: `deliveries, ${kind}, outbox to acknowledged`,
      against: 'plain undici loop',
      unit: 'x',
      figures: { 'requests/s': spreadOf(wall), 'CPU/request': spreadOf(cpu) },
      target: { atLeast: kind === 'durable' ? 0.6 : 0.7 },
    }),
  );
};
