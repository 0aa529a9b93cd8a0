import { rulesInScope } from '../../../src/report/scope.ts';
import { DO_NOTHING, type DoNothing } from './do-nothing.ts';
import type { Mutant } from './mutant.ts';
import { withoutMutant as without } from './mutants.ts';
import type { Outcome, Outcomes } from './reporter.ts';

/** How many other rules a saboteur may redden, unless it says why it reddens more. */
export const MOST_OTHERS = 8;

/** What became of one saboteur. */
export interface Caught {
  readonly saboteur: Mutant;
  /** The checks of its own rule that caught it, and those that did not. */
  readonly by: readonly string[];
  readonly missedBy: readonly Outcome[];
  /** The checks of its own rule that it did not meet, as it had been caught and they had caught another. */
  readonly sparedBy: readonly string[];
  /** The other rules that it reddens. */
  readonly others: readonly string[];
}

export interface Verdict {
  readonly caught: readonly Caught[];
  readonly without: Readonly<Record<string, string>>;
  /** Documented rules that a server passes which does nothing, by server. */
  readonly passedByNothing: readonly { readonly server: string; readonly rules: readonly string[] }[];
  /** Checks that no saboteur of their rule reddens. */
  readonly toothless: readonly string[];
  /** How many checks ran. */
  readonly ran: number;
  readonly objections: readonly string[];
}

interface Judged {
  /** Whether each check has to be reddened, too: not where only some saboteurs are there. */
  readonly teeth?: boolean;
  readonly saboteurs: readonly Mutant[];
  readonly clean: Outcomes;
  readonly sabotaged: Outcomes;
}

export function judge({ saboteurs, clean, sabotaged, teeth = true }: Judged): Verdict {
  const rulesOf = new Map(clean.checks.map(({ check, rules }) => [check, rules]));
  const bySaboteur = Map.groupBy(sabotaged.outcomes, ({ saboteur }) => saboteur);
  const caught = saboteurs.map((saboteur) => caughtOf(saboteur, bySaboteur.get(saboteur.name) ?? [], rulesOf));
  const passedByNothing = DO_NOTHING.flatMap(({ name, concerns }) => {
    const outcomes = bySaboteur.get(name);
    return outcomes === undefined ? [] : [{ server: name, rules: passedRules(outcomes, rulesOf, concerns) }];
  });
  const made = sabotaged.outcomes.filter(({ ended }) => ended !== 'spared');
  const toothless = teeth ? toothlessOf(caught) : [];
  const objections = [
    ...clean.errors,
    ...sabotaged.errors,
    ...clean.outcomes
      .filter(({ ended }) => ended !== 'passed' && ended !== 'not-applicable')
      .map(({ check, message }) => `Without a saboteur ${check}: ${message}`),
    ...caught.filter(({ by }) => by.length === 0).map(({ saboteur }) => `Not caught: ${saboteur.name}. ${saboteur.does}`),
    ...caught
      .filter(({ saboteur, others }) => others.length > (saboteur.alsoFails?.atMost ?? MOST_OTHERS))
      .map(
        ({ saboteur, others }) =>
          `Reddens ${others.length} other rules: ${saboteur.name}. At most ${saboteur.alsoFails?.atMost ?? MOST_OTHERS}.`,
      ),
    ...passedByNothing.flatMap(({ server, rules }) =>
      rules.length > 0 ? [`Does nothing and passes: ${server}: ${rules.join(', ')}`] : [],
    ),
    ...toothless.map((check) => `No saboteur of its rule reddens: ${check}`),
  ];
  return { caught, without, passedByNothing, toothless, ran: clean.outcomes.length + made.length, objections };
}

function caughtOf(saboteur: Mutant, outcomes: readonly Outcome[], rulesOf: ReadonlyMap<string, readonly string[]>): Caught {
  const isOwn = ({ check }: Outcome) => rulesOf.get(check)?.includes(saboteur.rule) ?? false;
  const own = outcomes.filter(isOwn);
  const red = outcomes.filter((outcome) => !isOwn(outcome) && outcome.ended === 'broken').flatMap(({ check }) => rulesOf.get(check) ?? []);
  return {
    saboteur,
    by: own.filter(({ ended }) => ended === 'broken').map(({ check }) => check),
    missedBy: own.filter(({ ended }) => ended !== 'broken' && ended !== 'spared'),
    sparedBy: own.filter(({ ended }) => ended === 'spared').map(({ check }) => check),
    others: [...new Set(red)].filter((rule) => rule !== saboteur.rule).sort(),
  };
}

/** A rule is passed where some check of it passes and none fails. */
function passedRules(
  outcomes: readonly Outcome[],
  rulesOf: ReadonlyMap<string, readonly string[]>,
  concerns: DoNothing['concerns'],
): string[] {
  return rulesInScope
    .filter(({ id, level }) => level === 'documented' && concerns(id))
    .filter(({ id }) => {
      const ended = outcomes.filter(({ check }) => rulesOf.get(check)?.includes(id)).map((outcome) => outcome.ended);
      return ended.includes('passed') && !ended.includes('broken') && !ended.includes('harness');
    })
    .map(({ id }) => id);
}

/** A check that cannot be made in this form says nothing; one that was spared has to have caught somebody. */
function toothlessOf(caught: readonly Caught[]): string[] {
  const red = new Set(caught.flatMap(({ by }) => by));
  const green = caught.flatMap(({ missedBy, sparedBy }) => [
    ...missedBy.filter(({ ended }) => ended !== 'not-applicable').map(({ check }) => check),
    ...sparedBy,
  ]);
  return [...new Set(green)].filter((check) => !red.has(check));
}
