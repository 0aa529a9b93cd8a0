// Sends varied traffic through a proxy to the independent server with one breach.
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { handleJob } from '../own-process.ts';
import type { WatchedBreach, WatchJob } from './prove-traffic.ts';

/** How many requests pass before the traffic ends. */
const EXCHANGES = 20_000;

handleJob(watch);

async function watch({ breach }: WatchJob): Promise<WatchedBreach> {
  const { applyFreshBreach } = await import('../targets/fresh-breach.ts');
  if (breach !== undefined) applyFreshBreach(breach);
  const { openIndependentServer } = await import('../targets/independent.ts');
  const { createKit } = await import('../../../src/kit.ts');
  const { followCalls } = await import('../../../src/checks/client/journal.ts');
  const { judgeService } = await import('../../../src/checks/service/judge.ts');
  const { createHookCalls } = await import('../../target/hook-calls.ts');
  const { sendVariedTraffic } = await import('./varied-traffic.ts');
  await using server = await openIndependentServer();
  const { baseUrl, profile, hooks } = server.settings;
  await using proxy = await createKit({ port: 0, upstream: { api: baseUrl } }, { journalCapacity: 20_000 });
  let passed = 0;
  const following = await followCalls(proxy.url, { onCall: () => void passed++ });
  const isOver = () => passed >= EXCHANGES;
  await sendVariedTraffic({ baseUrl: proxy.url, profile, hooks: createHookCalls(hooks!, 10_000), isOver });
  const { calls } = await following.stop();
  const { rules, observations } = judgeService({ calls, url: baseUrl });
  const failed = rules.flatMap(({ id, verdict }) => (verdict === 'failed' ? (id as RuleId) : []));
  return { failed, exchanges: calls.length, decisions: Object.fromEntries(observations.map(({ decision, value }) => [decision, value])) };
}
