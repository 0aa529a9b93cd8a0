import type { components } from '../contract/generated/control.ts';
import type { Executor } from '../store/engine.ts';
import { deleteFaults, insertFault } from '../store/faults.ts';
import type { FaultRequest } from './fault-checks.ts';

export type Fault = components['schemas']['Fault'];

export const toFaultId = (number: number): string => `fault-${number}`;

/** Adds a valid fault. If a random fault has no seed, generates one, so that the operator can repeat the run. */
export async function addFault(tx: Executor, request: FaultRequest): Promise<Fault> {
  const isRandom = request.probability !== undefined || request.latencyMaxMs !== undefined;
  const fault = { ...request, ...(isRandom && { seed: request.seed ?? Math.floor(Math.random() * 2 ** 32) }) };
  const added = await insertFault.first(tx, { fault: JSON.stringify(fault) });
  return { ...fault, id: toFaultId(added!.number), hits: 0 };
}

/** The faults must be valid. */
export async function replaceFaults(tx: Executor, requests: readonly FaultRequest[]): Promise<void> {
  await deleteFaults.executeWrite(tx, {});
  for (const request of requests) await addFault(tx, request);
}
