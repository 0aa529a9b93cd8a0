// Sends varied traffic through a proxy to the independent server with one breach, in a process of its own, because the breach changes the
// sources that the process loads.
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { WatchedBreach, WatchJob } from './prove-traffic.ts';

process.once('message', (job: WatchJob) => {
  watch(job).then(
    (result) => process.send!(result, () => process.exit()),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function watch({ name, seed, exchanges }: WatchJob): Promise<WatchedBreach> {
  const { applyFreshBreach } = await import('../targets/fresh-breach.ts');
  if (name !== undefined) applyFreshBreach(name);
  const { openIndependentServer } = await import('../targets/independent.ts');
  const { createKit } = await import('../../../src/kit.ts');
  const { followCalls } = await import('../../../src/checks/client/journal.ts');
  const { judgeService } = await import('../../../src/checks/service/judge.ts');
  const { createHookCalls } = await import('../../target/hook-calls.ts');
  const { sendVariedTraffic } = await import('./varied-traffic.ts');
  await using server = await openIndependentServer();
  const { baseUrl, profile, hooks } = server.settings;
  await using proxy = await createKit({ port: 0, upstream: { api: baseUrl } }, { journalCapacity: 20_000 });
  const passed = { count: 0 };
  const following = await followCalls(proxy.url, {
    onCall: () => {
      passed.count += 1;
    },
  });
  const isOver = () => passed.count >= exchanges;
  await sendVariedTraffic({ baseUrl: proxy.url, profile, hooks: createHookCalls(hooks!, 10_000), seed, isOver });
  const { calls } = await following.stop();
  const { rules, observations } = judgeService({ calls, url: baseUrl });
  const failed = rules
    .filter(({ cells }) => Object.values(cells).some(({ verdict }) => verdict === 'failed'))
    .map(({ id }) => id as RuleId);
  return { failed, exchanges: calls.length, decisions: Object.fromEntries(observations.map(({ decision, value }) => [decision, value])) };
}
