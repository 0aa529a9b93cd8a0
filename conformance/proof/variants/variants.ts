import { type DecisionId, type Decisions, defaultDecisions } from '../../../src/contract/generated/decisions.ts';
import { decisions } from '../../../src/contract/generated/decisions-table.ts';
import type { Results } from '../../../src/contract/generated/results.ts';
import type { RuleId } from '../../../src/contract/generated/rules.ts';
import { rules } from '../../../src/contract/generated/rules-table.ts';
import { rulesInScope } from '../../../src/report/scope.ts';
import { createDatabase } from '../../../src/store/testing/postgres.ts';
import type { SuiteOptions } from '../../runner/run-suite.ts';
import { openKit } from '../kit-target.ts';
import type { Selection } from '../selection.ts';
import { findVerdictObjections, type KnownServer, type Objection } from '../server.ts';
import { alternatives, observable, planVariants } from './plan.ts';

type Variant = Partial<Decisions>;

/**
 * Kits with non-default decisions, and a kit with the default decisions. Every kit has to pass all rules, and the suite has to observe all
 * the kit's decisions.
 */
export function variantServers({ rules: selected, decisions: chosen }: Selection): KnownServer[] {
  const observed = observable.filter((id) => chosen?.includes(id) ?? true);
  const variants = planVariants((id) => !chosen?.length || chosen.includes(id));
  const isSelected = (id: RuleId) => !selected?.length || selected.includes(id);
  const servers = variants.flatMap((set, index): KnownServer[] => {
    // Test one path form per variant, to save time. Most decisions have the same value in several variants, so that each value is tested
    // with both forms.
    const forms = [index % 2 === 0 ? 'prefixed' : 'flat'] as const;
    const run = { forms, notApplicable: testedElsewhere(variants, index) };
    const name = `variant ${index + 1}`;
    const isOnPostgres = (id: RuleId) => index === variants.length - 1 && TESTED_ON_POSTGRES.includes(id);
    const isConcerned = concernedBy(newDecisions(set, index));
    const onSqlite = RULES.filter((id) => isSelected(id) && (index === 0 || isConcerned(id)) && !isOnPostgres(id));
    // Use no list lag, because delayed lists are copied at every write, which is slow on PostgreSQL. The rules about lists are not
    // tested here.
    const setOnPostgres = { ...set, 'lists.read-model-lag': 0 };
    const onPostgres = RULES.filter((id) => isSelected(id) && isOnPostgres(id));
    return [
      { ...serverOf(name, set, observed), run: { ...run, rules: onSqlite, observing: observed.length > 0, workers: 1 } },
      {
        ...serverOf(`${name} on PostgreSQL`, setOnPostgres, [], createDatabase),
        run: { ...run, rules: onPostgres, observing: false, workers: 2 },
      },
    ].filter(({ run: { rules: tested, observing } }) => tested.length > 0 || observing);
  });
  // `xpk conformance` tests every rule with the default decisions, but does not verify that the suite observes them.
  const defaults = {
    ...serverOf('default decisions', {}, observed),
    run: { rules: [], observing: true, forms: ['prefixed'], workers: 1 } as const,
  };
  return observed.length > 0 ? [defaults, ...servers] : servers;
}

/** Returns the decisions with a value that no earlier variant has. */
const newDecisions = (set: Variant, index: number): readonly DecisionId[] =>
  [...alternatives].filter(([id, values]) => id in set && index < values.length).map(([id]) => id);

const sectionOf = (id: string): string => id.split('.', 1)[0] ?? '';

/**
 * Returns a function that tells whether decisions can affect a rule: the rule is in a decision's section, or about one of a decision's
 * operations. The first variant tests all rules, and a later variant only those that its new decisions can affect.
 */
function concernedBy(ids: readonly DecisionId[]): (rule: RuleId) => boolean {
  const sections = new Set(ids.map(sectionOf));
  const operations = new Set(ids.flatMap((id) => decisions[id].operations));
  return (rule) => sections.has(sectionOf(rule)) || (rules[rule].operations?.some((operation) => operations.has(operation)) ?? false);
}

function serverOf(name: string, set: Variant, observed: readonly DecisionId[], database?: () => Promise<string>) {
  return {
    name,
    open: async () => openKit({ set, ...(database && { database: await database() }) }),
    verify: (results: Results) => [
      ...findVerdictObjections(name, results, () => ({ verdicts: ['passed', 'not-applicable'], why: 'a decision breaks no rule' })),
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
 * The rules with which the last variant is tested on PostgreSQL. Rules about limits and lists are left out, because PostgreSQL may be too
 * slow for their concurrent requests. Other tests compare the lists of both engines.
 */
const TESTED_ON_POSTGRES = RULES.filter((id) => !/^(limits|general|http\.pages)\.|\.list\./.test(id));

/** Rules with slow checks. If several variants contain the same decisions about a slow rule, only one of these variants tests the rule. */
const SLOW: readonly { readonly rules: readonly RuleId[]; readonly decisions: string; readonly at: 'findIndex' | 'findLastIndex' }[] = [
  { rules: RULES.filter((id) => id.startsWith('limits.')), decisions: 'limits.', at: 'findIndex' },
  // Search from the end, so that these rules and the rate limits are tested with different variants.
  { rules: ['events.delivery.retries-unanswered', 'events.delivery.waits-for-answer'], decisions: 'events.delivery.', at: 'findLastIndex' },
];

function testedElsewhere(variants: readonly Variant[], index: number): NonNullable<SuiteOptions['notApplicable']> {
  return SLOW.flatMap(({ rules, decisions, at }) => {
    const taken = (variant: Variant) => JSON.stringify(Object.entries(variant).filter(([id]) => id.startsWith(decisions)));
    const tested = variants[at]((variant) => taken(variant) === taken(variants[index] ?? {}));
    return tested === index
      ? []
      : rules.map((rule) => ({ rule, reason: `tested with variant ${tested + 1}, which has the same decisions` }));
  });
}
