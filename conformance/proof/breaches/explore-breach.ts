// Explores the independent server with one breach.
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rules as table } from '../../../src/contract/generated/rules-table.ts';
import { exploreServer } from '../explore-server.ts';
import { handleJob } from '../own-process.ts';
import { applyFreshBreach, FRESH_BREACHES } from '../targets/fresh-breach.ts';
import type { ExploredBreach, ExploringJob } from './prove-breaches.ts';

/** An idle machine runs this many sequences in about 30 seconds. The time ends only explorations that hang. */
const LIMITS = { maxSequences: 100, seconds: 200, commands: 20, parallel: true };

handleJob(explore);

async function explore({ name, seed, decisions }: ExploringJob): Promise<ExploredBreach> {
  applyFreshBreach(name);
  const { openIndependentServer } = await import('../targets/independent.ts');
  const { settings } = await openIndependentServer();
  // Some breaches omit deliveries, so waits are short.
  const profile = { ...settings.profile, events: { ...settings.profile.events!, patienceSeconds: 3 } };
  const { level, rules } = FRESH_BREACHES[name]!;
  const others = new Set<RuleId>();
  const isEnough = (rule: RuleId) => {
    const isRight = rules === undefined ? table[rule].level === 'documented' || level === 'implied' : rules.includes(rule);
    if (!isRight) others.add(rule);
    return isRight;
  };
  const startedAt = performance.now();
  const { found, sequences } = await exploreServer({ ...settings, profile }, decisions, { ...LIMITS, seed, isEnough });
  const seconds = (performance.now() - startedAt) / 1000;
  return { rule: found[0]?.difference.rule, others: [...others], sequences, seconds };
}
