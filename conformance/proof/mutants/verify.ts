import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { Objection } from '../server.ts';
import type { Mutant } from './mutant.ts';
import type { Outcome } from './reporter.ts';

interface Findings {
  readonly objections: readonly Objection[];
  /** The outcomes behind objections about mutants. */
  readonly doubtful: readonly Outcome[];
}

/** A mutant has to be killed by a check of its rule, a check has to kill a mutant, and a server that does nothing passes no rule. */
export function objectionsTo(mutants: readonly Mutant[], outcomes: readonly Outcome[]): Findings {
  const names = new Set(mutants.map(({ name }) => name));
  const [ofMutants, ofNothing] = [outcomes.filter(({ server }) => names.has(server)), outcomes.filter(({ server }) => !names.has(server))];
  const killed = new Set(ofMutants.filter(isKill).map(({ server }) => server));
  const killing = new Set(ofMutants.filter(isKill).map(({ check }) => check));
  const survivors = mutants.filter(({ name }) => !killed.has(name));
  const idle = ofMutants.filter(({ check, ended }) => !killing.has(check) && ended !== 'not-applicable');
  const byServer = Map.groupBy(ofMutants, ({ server }) => server);
  return {
    objections: [
      ...survivors.map(({ name, rule, does }) => {
        const checks = (byServer.get(name) ?? []).map(({ check, ended, message }) => `\n${check}: ${ended}, ${message.split('\n', 1)[0]}`);
        return { server: name, rule: rule as RuleId, text: `survives. ${does}${checks.join('') || '\nIts rule has no check.'}` };
      }),
      ...new Map(
        idle.map(({ check, rule }) => [check, { server: 'mutants', rule, text: `None is killed by the check ${check}` }]),
      ).values(),
      ...ofNothing.filter(({ ended }) => ended === 'passed').map(({ server, rule, check }) => ({ server, rule, text: `passes ${check}` })),
    ],
    doubtful: [...new Set([...ofMutants.filter(({ server }) => !killed.has(server)), ...idle])],
  };
}

const isKill = ({ ended }: Outcome): boolean => ended === 'killed';
