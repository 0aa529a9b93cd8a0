import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestInfo } from '@playwright/test';
import { followCalls } from '../../../src/checks/client/journal.ts';
import { judgeService } from '../../../src/checks/service/judge.ts';
import { createKit } from '../../../src/kit.ts';
import { splitTitle } from '../../runner/repetition.ts';
import type { Boundary } from '../../target/boundary.ts';
import { getReport } from '../../target/check-report.ts';
import type { TargetSettings } from '../../target/target-settings.ts';
import { openBoundary as openMutants } from '../mutants/boundary.ts';
import { findMutant } from '../mutants/mutants.ts';
import { readPlan, showsBreach } from '../mutants/plan.ts';

export { listRepetitions } from '../mutants/boundary.ts';

/** What a check has seen of a mutant, and what its traffic shows. A line of the file. */
export interface Judged {
  readonly mutant: string;
  readonly isKilled: boolean;
  readonly message: string | undefined;
  /** The rules that the traffic shows to be broken. */
  readonly failed: readonly string[];
}
export const JUDGED_FILE = 'judged.jsonl';

/** Puts a proxy in front of each check's mutant, and judges the mutant by what has passed the proxy. */
export async function openBoundary(settings: TargetSettings): Promise<Boundary> {
  const mutants = await openMutants(settings);
  const proxies = new Map<string, ReturnType<typeof openProxy>>();

  async function openProxy(test: TestInfo) {
    const api = await mutants.baseUrlFor(test);
    const proxy = await createKit({ port: 0, upstream: { api, auth: `${api}/auth` } });
    return { proxy, following: await followCalls(proxy.url) };
  }
  const findProxy = (test: TestInfo) => {
    const found = proxies.get(test.testId) ?? openProxy(test);
    proxies.set(test.testId, found);
    return found;
  };
  return {
    ...mutants,
    isRedundant: () => false,
    baseUrlFor: async (test) => (await findProxy(test)).proxy.url,
    async handleCheckEnd(test) {
      await mutants.handleCheckEnd(test);
      const { proxy, following } = await findProxy(test);
      const { calls } = await following.stop();
      const { rules } = judgeService({ calls, url: proxy.url });
      await proxy.close();
      const report = getReport(test);
      const mutant = findMutant(splitTitle(test.title).repetition ?? '');
      const judged: Judged = {
        mutant: mutant?.name ?? '',
        isKilled: showsBreach(report, mutant),
        message: report.broken ?? report.others[0]?.message,
        failed: rules.flatMap(({ id, verdict }) => (verdict === 'failed' ? id : [])),
      };
      appendFileSync(join(readPlan().folder, JUDGED_FILE), `${JSON.stringify(judged)}\n`);
    },
  };
}
