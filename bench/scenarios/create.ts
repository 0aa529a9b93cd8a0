import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Job } from '../load/generator.ts';
import { requestText } from '../load/request.ts';
import type { Options } from '../options.ts';
import { compare } from '../rounds.ts';
import { startExpress, startKit } from '../server.ts';
import { EXPERIENCE, FIRST_FREE_NUMBER } from '../world.ts';
import type { Scenario } from './scenario.ts';

/** More than a core creates in a second. */
const NUMBERS_A_SECOND = 15_000;
const PLACEHOLDER = 'NATIONAL##';

/** Creates assignments of numbers that have none: entity, event and delivery, in memory and in a file that outlives a power cut. */
export const create: Scenario = async (options, say) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-create-'));
  const numbers = numbersFor(options);
  const inMemory = await startKit({ clients: 1, numbers });
  const durable = await startKit({ clients: 1, numbers, data: join(folder, 'kit.db') });
  const express = await startExpress();
  const job = (sent: number): Pick<Job, 'expect' | 'requests' | 'serial'> => {
    const body = { experienceId: EXPERIENCE, targetType: 'PHONE_NUMBER', targetValue: `+1${PLACEHOLDER}` };
    const requests = [requestText({ method: 'POST', path: '/experience/assignments', token: inMemory.tokens[0], body })];
    return { expect: 201, requests, serial: { placeholder: PLACEHOLDER, from: FIRST_FREE_NUMBER + sent } };
  };
  try {
    const { faster, absolutes } = await compare(
      [
        { name: 'kit, in memory', server: inMemory, job },
        { name: 'kit, durable', server: durable, job },
        { name: 'bare Express', server: express, job },
      ],
      options,
      say,
    );
    const against = 'bare Express';
    return {
      rows: [
        { what: 'create, in memory', against, unit: 'x', figures: faster('kit, in memory', against) },
        { what: 'create, durable', against, unit: 'x', figures: faster('kit, durable', against), target: { atLeast: 0.3 } },
      ],
      absolutes,
    };
  } finally {
    await Promise.all([inMemory.stop(), durable.stop(), express.stop()]);
    await rm(folder, { recursive: true });
  }
};

function numbersFor({ rounds, seconds }: Options): number {
  return Math.ceil((rounds * seconds + 2) * NUMBERS_A_SECOND);
}
