import { type DecisionId, type Decisions, defaultDecisions } from '../../../src/contract/generated/decisions.ts';
import type { Results } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { freshDatabase } from '../../../src/store/testing/postgres.ts';
import type { SuiteOptions } from '../../runner/run-suite.ts';
import { openKit } from '../kit-target.ts';
import type { Selection } from '../selection.ts';
import { type KnownServer, type Objection, verdictObjections } from '../server.ts';
import { observable, planVariants } from './plan.ts';

type Variant = Partial<Decisions>;

/**
 * Kits whose decisions differ from the defaults. Every kit has to pass all rules, and the suite has to observe all decisions of the kit.
 */
export function variantServers({ rules, decisions }: Selection): KnownServer[] {
  const observed = observable.filter((id) => decisions?.includes(id) ?? true);
  const variants = planVariants((id) => !decisions?.length || decisions.includes(id));
  const servers = variants.map((set, index) => ({
    ...serverOf(`variant ${index + 1}`, set, observed),
    run: {
      ...(rules?.length && { rules, observing: observed.length > 0 }),
      // Test one path form per variant, to save time. Most decisions have the same value in several variants, so that this value is tested
      // with both forms.
      forms: [index % 2 === 0 ? 'prefixed' : 'flat'] as const,
      notApplicable: testedElsewhere(variants, index),
      workers: 2,
    },
  }));
  // The run with the default decisions, on PostgreSQL. It verifies that the suite observes the default decisions. `xpk conformance` also
  // tests every rule with these decisions, but only on SQLite and without that verification.
  const defaults: KnownServer = {
    ...serverOf('default decisions', {}, observed),
    open: async () => openKit({ database: await freshDatabase() }),
    run: { rules: TESTED_ON_POSTGRES.filter((id) => rules?.includes(id) ?? true), forms: ['prefixed'], observing: true, workers: 2 },
  };
  return observed.length > 0 ? [defaults, ...servers] : servers;
}

function serverOf(name: string, set: Variant, observed: readonly DecisionId[]) {
  return {
    name,
    open: () => openKit({ set }),
    verify: (results: Results) => [
      ...verdictObjections(name, results, () => ({ verdicts: ['passed', 'not-applicable'], why: 'a decision breaks no rule' })),
      ...observationObjections(name, results, { ...defaultDecisions, ...set }, observed),
    ],
  };
}

function observationObjections(server: string, { observations }: Results, set: Decisions, observed: readonly DecisionId[]): Objection[] {
  return observed.flatMap((decision) => {
    const values = observations.filter((observation) => observation.decision === decision).map(({ value }) => value);
    if (values.length === 1 && values[0] === set[decision]) return [];
    const text = `is ${set[decision]}, observed ${values.length === 0 ? 'nothing' : values.join(' and ')}`;
    return [{ server, decision, text, untested: values.length === 0 }];
  });
}

const RULES = rulesInScope.map(({ id }) => id);

/**
 * The rules to test on PostgreSQL. Rules about limits and lists are left out, because PostgreSQL may be too slow for their concurrent
 * requests. Other tests compare the lists of both engines.
 */
const TESTED_ON_POSTGRES = RULES.filter((id) => !/^(limits|general)\.|\.list\./.test(id));

/**
 * Rules whose checks take long. If several variants contain the same decisions about such a rule, only one of these variants tests the
 * rule.
 */
const SLOW: readonly { readonly rules: readonly RuleId[]; readonly decisions: string; readonly at: 'findIndex' | 'findLastIndex' }[] = [
  { rules: RULES.filter((id) => id.startsWith('limits.')), decisions: 'limits.', at: 'findIndex' },
  // Search from the end, so that these rules and the rate limits are tested with different variants.
  { rules: ['events.delivery.retries-unanswered', 'events.delivery.waits-for-answer'], decisions: 'events.delivery.', at: 'findLastIndex' },
];

function testedElsewhere(variants: readonly Variant[], index: number): NonNullable<SuiteOptions['notApplicable']> {
  return SLOW.flatMap(({ rules, decisions, at }) => {
    const taken = (variant: Variant) => JSON.stringify(Object.entries(variant).filter(([id]) => id.startsWith(decisions)));
    const tested = variants[at]((variant) => taken(variant) === taken(variants[index] ?? {}));
    return tested === index ? [] : rules.map((rule) => ({ rule, reason: `tested with variant ${tested + 1}, which decides the same` }));
  });
}
