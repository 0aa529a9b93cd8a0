import type { RuleId } from '../contract/generated/rules.ts';
import { type Command, createSequence } from './commands.ts';
import { Decks } from './decks.ts';
import { renumber } from './describe.ts';
import type { Difference } from './difference.ts';
import type { Pair } from './pair.ts';
import { runSequence } from './sequence.ts';
import type { SequenceOptions } from './sequence-run.ts';
import { select, selectAll, shorten, type Try } from './shorten.ts';

export interface ExploreOptions {
  readonly seconds: number;
  /** The longest sequence. */
  readonly commands: number;
  /** Whether several clients may send a command at the same moment. */
  readonly parallel: boolean;
  readonly seed: number;
  /** Selects commands of the seed's sequence (see `select`), from the report about it. */
  readonly path?: string | undefined;
  /** Ends the exploration with the first difference whose rule it accepts. Other rules are ignored, and no sequence is shortened. */
  readonly isEnough?: ((rule: RuleId) => boolean) | undefined;
  readonly maxSequences?: number;
  readonly onProgress?: (text: string) => void;
}

export interface Counterexample {
  readonly difference: Difference;
  /** The steps of the shortest sequence that still showed the difference, with the target's answers and different expected ones. */
  readonly dialogue: readonly string[];
  /** An earlier sequence's steps about the same entities, if the sequence is so short that it may show only what they left behind. */
  readonly earlier: readonly string[];
  /** The ids of what the steps name, as far as the profile contains them. */
  readonly ids: Readonly<Record<string, string>>;
  /** The ids of what the steps created. */
  readonly created: Readonly<Record<string, string>>;
  readonly script: string;
  readonly seed: number;
  readonly path: string;
}

export interface Exploration {
  readonly found: readonly Counterexample[];
  readonly sequences: number;
  readonly steps: number;
  readonly looks: number;
  /** How many sequences ended early, because they depended on an open point that the target has not shown. */
  readonly undecided: number;
  /** How many sequences were run to their end without a difference. */
  readonly completed: number;
  /** The different combinations of origin, command, principal and result. */
  readonly reached: ReadonlySet<string>;
  readonly seed: number;
}

/** The number of looks with each operation after a step. */
const LOOKS = 2;
const MAX_FOUND = 5;
const MAX_SHORTENING_MS = 10_000;
const MAX_EXTRA_MS = 30_000;
const [MAX_SHORT_STEPS, MAX_EARLIER_STEPS] = [2, 5];

/** Runs random sequences at the target and its twin until the time is over. Shortens each sequence that shows a difference. */
export async function explore(
  pair: Pair,
  { seconds, commands, parallel, seed, path, isEnough, maxSequences = Number.POSITIVE_INFINITY, onProgress = () => {} }: ExploreOptions,
): Promise<Exploration> {
  const end = performance.now() + seconds * 1000;
  const found = new Map<RuleId, Counterexample>();
  const totals = { sequences: 0, steps: 0, looks: 0, undecided: 0, completed: 0, reached: new Set<string>(), seed };
  const decks = new Decks(Math.random);
  const history: (readonly string[])[] = [];
  let slowestEventsMs = 0;
  // On a busy machine, the first sequence may need more time.
  const isTimeOver = () => performance.now() > (totals.completed > 0 ? end : end + MAX_EXTRA_MS);
  const run = async (sequence: readonly Command[], options: Omit<SequenceOptions, 'decks'>) => {
    const outcome = await runSequence(pair, sequence, { ...options, decks });
    totals.sequences += 1;
    totals.steps += outcome.steps;
    totals.looks += outcome.looks;
    for (const each of outcome.reached) totals.reached.add(each);
    if (outcome.isUndecided) totals.undecided += 1;
    else if (outcome.difference === undefined && !options.isOver()) totals.completed += 1;
    return outcome;
  };
  for (
    let next = seed;
    !isTimeOver() && found.size < (isEnough === undefined ? MAX_FOUND : 1) && totals.sequences < maxSequences;
    next += 1
  ) {
    const all = createSequence({ forms: pair.forms, most: commands, isParallel: parallel, seed: next });
    const whole = path === undefined ? selectAll(all) : path.split(':').map(Number);
    const first = await run(select(all, whole, pair.form), { looks: path === undefined ? LOOKS : undefined, isOver: isTimeOver });
    const { difference } = first;
    history.push(first.dialogue);
    slowestEventsMs = Math.max(slowestEventsMs, first.eventsMs);
    onProgress(`${totals.sequences} sequences, ${totals.steps} commands, ${totals.looks} looks`);
    if (difference !== undefined && !found.has(difference.rule) && (isEnough?.(difference.rule) ?? true)) {
      let last = { ...first, difference };
      const shorteningEnd = performance.now() + MAX_SHORTENING_MS;
      const isOver = () => performance.now() > shorteningEnd;
      const { shape, probe, rule } = difference;
      const only = probe === undefined ? [] : [probe];
      // An event that is missing again need not be waited for as long as the first time.
      const maxEventsMs = 1000 + 2 * slowestEventsMs;
      const isShown: Try = async (positions, isThorough) => {
        const questions = isThorough ? { looks: undefined } : { looks: shape === undefined ? 0 : undefined, shape };
        const outcome = await run(select(all, positions, pair.form), { ...questions, only, isOver, maxEventsMs });
        if (isOver() || outcome.difference?.rule !== rule) return undefined;
        last = { ...outcome, difference: outcome.difference };
        return outcome;
      };
      const shortest = isEnough === undefined && path === undefined ? await shorten(whole, first, isShown, isOver) : whole;
      const earlier = last.difference.probe === undefined ? selectEarlier(history, last.dialogue) : [];
      const script = renumber(last.script, last.dialogue);
      found.set(rule, { ...last, script, earlier, seed: next, path: shortest.join(':') });
    }
    if (path !== undefined) break;
  }
  return { found: [...found.values()], ...totals };
}

/** A target may keep something of an entity that was deleted, so that a later sequence needs fewer steps to show it. */
function selectEarlier(history: readonly (readonly string[])[], dialogue: readonly string[]): readonly string[] {
  const about = dialogue.join().match(/(?<!new )\b(?:account|experience|number|user) \d+/g) ?? [];
  if (dialogue.length > MAX_SHORT_STEPS || about.length === 0) return [];
  const ofEntities = history.map((steps) => {
    const created = new Set<string>();
    return steps.filter((step) => {
      const has = (name: string) => new RegExp(`${name}\\b`).test(step);
      if (!about.every(has) && ![...created].some(has)) return false;
      for (const [, name = ''] of step.matchAll(/\((new \w+ \d+)\)/g)) created.add(name);
      return true;
    });
  });
  const changes = ofEntities.map((steps) => steps.filter((step) => /→ (?:2|done)/.test(step)));
  return changes.findLast(({ length }) => length > 0)?.slice(-MAX_EARLIER_STEPS) ?? [];
}
