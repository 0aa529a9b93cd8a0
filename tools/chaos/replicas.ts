import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '../../src/store/testing/postgres.ts';
import { disturbReplicas } from './cluster.ts';
import type { Report } from './report.ts';

/** The longest time, in milliseconds of wall time, before a replica is stopped. */
const MAX_RUNNING_MS = 4000;

/** Repeatedly stops replicas with SIGKILL or SIGTERM, and restarts them. At least one replica always runs. */
export async function killReplicas(kills: number, log: (line: string) => void): Promise<Report> {
  return disturbReplicas(await createDatabase(), log, async ({ slots, countRunning, stop, start, progress, ledger }) => {
    const counts = { SIGKILL: 0, SIGTERM: 0, 'signals that cut off a request': 0 };
    let killed = 0;
    const killRepeatedly = async (slot: number) => {
      for (let round = 0; round < kills; round++) {
        await pause(Math.random() * MAX_RUNNING_MS);
        while (countRunning() === 1) await pause(10);
        const signal = Math.random() < 0.5 ? 'SIGKILL' : 'SIGTERM';
        const { cutOff } = ledger;
        await stop(slot, signal);
        counts[signal] += 1;
        if (ledger.cutOff > cutOff) counts['signals that cut off a request'] += 1;
        await start(slot);
        if (++killed % 10 === 0) log(`${killed} kills, ${progress()}`);
      }
    };
    await Promise.all(slots.map(killRepeatedly));
    return { counts: { replicas: slots.length, ...counts }, problems: {} };
  });
}
