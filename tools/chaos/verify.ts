import { setTimeout as pause } from 'node:timers/promises';
import { findProblems, type Ledger } from './ledger.ts';
import { readEntities, sendToControl } from './reads.ts';
import type { startRecorder } from './receivers.ts';
import type { Report } from './report.ts';

/** The maximum number of pending deliveries. At the maximum, writers pause. */
const MAX_PENDING_DELIVERIES = 1500;

interface Run {
  readonly ledger: Ledger;
  readonly recorder: Awaited<ReturnType<typeof startRecorder>>;
  readonly subscriptions: number;
}

export const hasFewPendingDeliveries = ({ ledger, recorder: { counts }, subscriptions }: Run): boolean =>
  ledger.events.length * subscriptions - (counts.received - counts.repeats) < MAX_PENDING_DELIVERIES;

export async function verifyWrites(url: string, { ledger, recorder, subscriptions }: Run): Promise<Report> {
  const { counts } = recorder;
  const unsettled = await waitForDeliveries(url, () => counts.received);
  const existing = await readEntities(url);
  const verdict = findProblems({ existing, ledger, delivered: recorder.acknowledged, subscriptions });
  const { acknowledged, cutOff, refusals, events } = ledger;
  return {
    counts: {
      ...{ 'writes acknowledged': acknowledged, 'requests cut off': cutOff, events: events.length },
      ...{ 'deliveries received': counts.received, 'deliveries cut off by a kill': counts.cutOff },
      ...{ 'deliveries that failed on purpose': counts.failed, repeats: counts.repeats },
    },
    problems: {
      ...verdict,
      'repeats with a different body': recorder.differing,
      'unexpected responses': refusals,
      unsettled,
    },
  };
}

/** The maximum wait for a delivery: longer than a killed replica's claims (30 s) plus an attempt (15 s). */
const MAX_QUIET_SECONDS = 90;

/** Waits until no delivery is pending, or until no delivery has arrived for `MAX_QUIET_SECONDS`. */
async function waitForDeliveries(url: string, progress: () => number): Promise<string[]> {
  const describeDeliveries = async (state: string) => {
    const found = await sendToControl<{ id: string; type: string; attempts: number }[]>(
      url,
      'GET',
      `/deliveries?state=${state}&limit=1000`,
    );
    return found.map(({ id, type, attempts }) => `${id} ${type} ${state} after ${attempts} attempts`);
  };
  let pending: string[] = [];
  await waitWhileProgressing(async () => {
    pending = await describeDeliveries('pending');
    return pending.length === 0;
  }, progress);
  return [...pending, ...(await describeDeliveries('exhausted'))];
}

/**
 * Waits until a condition is met, or until no delivery has arrived for `MAX_QUIET_SECONDS`.
 * @param progress returns the number of arrived deliveries
 */
export async function waitWhileProgressing(isDone: () => boolean | Promise<boolean>, progress: () => number): Promise<void> {
  for (let last = progress(), quiet = 0; !(await isDone()) && quiet < MAX_QUIET_SECONDS; quiet++) {
    await pause(1000);
    if (progress() !== last) [last, quiet] = [progress(), 0];
  }
}
