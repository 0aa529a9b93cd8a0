import { type DecisionId, type Decisions, defaultDecisions } from '../../../src/contract/generated/decisions.ts';
import { decisions } from '../../../src/contract/generated/decisions-table.ts';
import type { Results } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rules } from '../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import type { SuiteOptions } from '../../runner/run-suite.ts';
import { openKit } from '../kit-target.ts';
import type { Selection } from '../selection.ts';
import { findUnexpectedVerdicts, type KnownServer, type ProofFailure } from '../server.ts';
import { alternatives, observable, planVariants } from './plan.ts';

type Variant = Partial<Decisions>;

export function createVariantServers({ rules: selected, decisions: chosen }: Selection): KnownServer[] {
  const observed = observable.filter((id) => chosen?.includes(id) ?? true);
  const variants = planVariants((id) => !chosen?.length || chosen.includes(id));
  const isSelected = (id: RuleId) => !selected?.length || selected.includes(id);
  const servers = variants.flatMap((set, index): KnownServer[] => {
    const isConcerned = createRuleFilter(listNewDecisions(set, index));
    const own = RULES.filter((id) => isSelected(id) && (index === 0 || isConcerned(id)));
    if (own.length === 0 && observed.length === 0) return [];
    // To save time, alternate between prefixed and flat paths. Most values occur in several variants, so they are tested with both.
    const forms = [index % 2 === 0 ? 'prefixed' : 'flat'] as const;
    const run = { rules: own, forms, notApplicable: listRulesTestedElsewhere(variants, index) };
    return [createServer(`variant ${index + 1}`, set, observed, run)];
  });
  if (observed.length === 0) return servers;
  // Test no rules here, because `xpk conformance` already tests them with the default decisions.
  return [createServer('default decisions', {}, observed, { rules: [], forms: ['prefixed'] }), ...servers];
}

const listNewDecisions = (set: Variant, index: number): readonly DecisionId[] =>
  [...alternatives].filter(([id, values]) => id in set && index < values.length).map(([id]) => id);

const readSection = (id: string): string => id.split('.', 1)[0] ?? '';

function createRuleFilter(ids: readonly DecisionId[]): (rule: RuleId) => boolean {
  const sections = new Set(ids.map(readSection));
  const operations = new Set(ids.flatMap((id) => decisions[id].operations));
  return (rule) => sections.has(readSection(rule)) || (rules[rule].operations?.some((operation) => operations.has(operation)) ?? false);
}

function createServer(name: string, variant: Variant, observed: readonly DecisionId[], run: KnownServer['run']): KnownServer {
  return {
    name,
    open: () => openKit({ set: variant }),
    run: { ...run, observing: observed.length > 0, workers: 1 },
    verify: (results) => [
      ...findUnexpectedVerdicts(name, results, () => ({ verdicts: ['passed', 'not-applicable'], why: 'a decision breaks no rule' })),
      ...findWrongObservations(name, results, { ...defaultDecisions, ...variant }, observed),
    ],
  };
}

function findWrongObservations(
  server: string,
  { observations }: Results,
  expected: Decisions,
  observed: readonly DecisionId[],
): ProofFailure[] {
  return observed.flatMap((decision) => {
    const values = observations.filter((observation) => observation.decision === decision).map(({ value }) => value);
    if (values.length === 1 && values[0] === expected[decision]) return [];
    const text = `is ${expected[decision]}, observed ${values.length === 0 ? 'nothing' : values.join(' and ')}`;
    return [{ server, decision, text, untested: values.length === 0 }];
  });
}

const RULES = rulesInScope.map(({ id }) => id);

/** Slow rules. If several variants have the same decisions about such a rule, only one of them tests it. */
const SLOW: readonly { readonly rules: readonly RuleId[]; readonly decisions: string; readonly at: 'findIndex' | 'findLastIndex' }[] = [
  { rules: RULES.filter((id) => id.startsWith('limits.')), decisions: 'limits.', at: 'findIndex' },
  // Use the last variant, so that the first variant does not test all slow rules.
  { rules: ['events.delivery.retries-unanswered', 'events.delivery.waits-for-answer'], decisions: 'events.delivery.', at: 'findLastIndex' },
];

function listRulesTestedElsewhere(variants: readonly Variant[], index: number): NonNullable<SuiteOptions['notApplicable']> {
  return SLOW.flatMap(({ rules, decisions, at }) => {
    const readDecisions = (variant: Variant) => JSON.stringify(Object.entries(variant).filter(([id]) => id.startsWith(decisions)));
    const tested = variants[at]((variant) => readDecisions(variant) === readDecisions(variants[index] ?? {}));
    return tested === index
      ? []
      : rules.map((rule) => ({ rule, reason: `tested with variant ${tested + 1}, which has the same decisions` }));
  });
}
