import type { RuleId } from '../../../src/contract/generated/rules.ts';
import type { ProofFailure } from '../server.ts';
import type { Mutant } from './mutant.ts';
import type { Outcome } from './reporter.ts';
import { STUB_SERVERS } from './stub-servers.ts';

export function findProofFailures(mutants: readonly Mutant[], outcomes: readonly Outcome[]): ProofFailure[] {
  const byServer = Map.groupBy(outcomes, ({ server }) => server);
  // Leave out mutants with `shownBy`, because another rule's checks detect them.
  const ofMutants = mutants.flatMap(({ name, shownBy }) => (shownBy === undefined ? (byServer.get(name) ?? []) : []));
  const ofNothing = outcomes.filter(({ server }) => STUB_SERVERS.some(({ name }) => name === server));
  const survivors = mutants.filter(({ name }) => !byServer.get(name)?.some(isKill));
  const checks = Map.groupBy(ofMutants, ({ check }) => check);
  const idle = [...checks.values()].filter((ofCheck) => !ofCheck.some(({ ended }) => ended === 'killed' || ended === 'not-applicable'));
  return [
    ...survivors.map(({ name, rule, description }) => {
      const ended = (byServer.get(name) ?? []).map(
        (outcome) => `\n${outcome.check}: ${outcome.ended}, ${outcome.message.split('\n', 1)[0]}`,
      );
      return { server: name, rule: rule as RuleId, text: `survives. ${description}${ended.join('') || '\nThe rule has no check.'}` };
    }),
    ...idle.flatMap(([outcome]) =>
      outcome ? [{ server: 'mutants', rule: outcome.rule, text: `The check ${outcome.check} kills no mutant.` }] : [],
    ),
    ...ofNothing.filter(({ ended }) => ended === 'passed').map(({ server, rule, check }) => ({ server, rule, text: `passes ${check}` })),
  ];
}

const isKill = ({ ended }: Outcome): boolean => ended === 'killed';
