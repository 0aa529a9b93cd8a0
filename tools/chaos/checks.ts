import { setTimeout as pause } from 'node:timers/promises';
import { ACCOUNT_ALIAS, type Answer, EXPERIENCE_ID, sendRequest } from './kits.ts';
import type { Ledger } from './ledger.ts';

/** The number of assignability checks that a client may make in a second (specification: Limits). */
export const CHECKS_PER_SECOND = 100;
const BURST_SIZE = 130;
const MAX_PAUSE_MS = 1500;

/** An accepted assignability check. A replica accepted it between `sentAt` and `answeredAt`. */
export type Passed = Pick<Answer, 'sentAt' | 'answeredAt'>;

export function startChecks({ url, token, accountId, ledger }: { url: string; token: string; accountId: string; ledger: Ledger }) {
  const path = `/experiences/${EXPERIENCE_ID}/assignability?targetType=${ACCOUNT_ALIAS.toUpperCase()}&targetValue=${accountId}`;
  const passed: Passed[] = [];
  const counts = { refused: 0 };
  let stopped = false;

  async function sendCheck(): Promise<void> {
    const isExpected = ({ status }: Answer) => status === 200 || status === 429;
    const answer = await ledger.receive(`GET ${path}`, sendRequest(url, 'GET', path, undefined, token), isExpected);
    if (answer?.status === 429) counts.refused += 1;
    else if (answer) passed.push(answer);
  }

  async function sendBursts(): Promise<void> {
    while (!stopped) {
      await Promise.all(Array.from({ length: BURST_SIZE }, sendCheck));
      await pause(Math.random() * MAX_PAUSE_MS);
    }
  }

  const running = sendBursts();
  return {
    passed: passed as readonly Passed[],
    counts: counts as Readonly<typeof counts>,
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}

/**
 * Finds each second in which more checks than `limit` were accepted. Counts only checks that were sent and answered in that second.
 * @returns a description of each such second, and the highest number of accepted checks in a second
 */
export function findOverruns(passed: readonly Passed[], limit: number): { overruns: string[]; most: number } {
  const sorted = passed.toSorted((a, b) => a.sentAt - b.sentAt);
  const overruns: string[] = [];
  let most = 0;
  for (const [first, { sentAt: start }] of sorted.entries()) {
    let count = 0;
    for (let next = first; sorted[next] && sorted[next]!.sentAt < start + 1000; next++) {
      if (sorted[next]!.answeredAt < start + 1000) count += 1;
    }
    if (count > limit) overruns.push(`${count} checks passed within one second, which began at ${start.toFixed(0)} ms`);
    most = Math.max(most, count);
  }
  return { overruns, most };
}
