import type { Command } from './commands.ts';
import { describeExchange, removeMarks } from './describe.ts';
import type { Difference } from './difference.ts';
import { Found, type Pair, Undecided } from './pair.ts';
import { listKnown, writeScript } from './script.ts';
import { type SequenceOptions, SequenceRun } from './sequence-run.ts';

export interface Outcome {
  readonly difference: Difference | undefined;
  /** The steps with the target's answers, and the expected ones where they differ. */
  readonly dialogue: readonly string[];
  /** The ids at the target of what the steps name, as far as the profile contains them. */
  readonly ids: Readonly<Record<string, string>>;
  /** The ids at the target of what the steps created. */
  readonly created: Readonly<Record<string, string>>;
  /** A shell script that repeats the sequence at the target. */
  readonly script: string;
  /** Whether the sequence ended early, because what followed depended on an open point that the target has not shown. */
  readonly isUndecided: boolean;
  /** The number of commands that were run. */
  readonly performed: number;
  /** For each step of the dialogue, the index of its command. */
  readonly commandOf: readonly number[];
  /** How long the last events took, in milliseconds. */
  readonly eventsMs: number;
  readonly steps: number;
  readonly looks: number;
  /** The combinations of origin, command, principal and result. */
  readonly reached: ReadonlySet<string>;
}

/** Runs a sequence at both sides, and removes at the end what the sequence created. */
export async function runSequence(pair: Pair, commands: readonly Command[], options: SequenceOptions): Promise<Outcome> {
  const run = new SequenceRun(pair, options);
  let endedEarly = false;
  let difference: Difference | undefined;
  let created: Outcome['created'] = {};
  try {
    while (run.performed < commands.length && !options.isOver()) await run.perform(commands[run.performed]!, commands[run.performed + 1]);
    await run.finish();
  } catch (error) {
    if (error instanceof Found) ({ difference } = error);
    else if (error instanceof Undecided) endedEarly = true;
    else throw error;
  } finally {
    await run.creations.cleanUp();
    created = resolveAll(pair, run.own);
    pair.names.forget(run.own);
  }
  if (difference?.about !== undefined) difference = { ...difference, message: run.nameSteps(difference.message, difference.about) };
  const { request, probe, message } = difference ?? {};
  const { cursorOf, withoutAuthorization } = probe ?? {};
  const expected = difference?.rule.startsWith('events.') ? `${message}. This script receives no events.` : message;
  const last = request && { ...request, cursorOf, withoutAuthorization };
  const script = writeScript(pair.names, pair.baseUrl, run.sent, last, expected);
  const ids = resolveAll(pair, listKnown(pair.names, run.sent, last));
  const dialogue = run.sent.map(({ step, times, isWithPrevious, answers }) => describeExchange(step, times, answers, isWithPrevious));
  const { length: steps } = run.sent;
  const commandOf = run.sent.map(({ ofCommand }) => ofCommand);
  const { performed, eventsMs, reached } = run;
  return {
    ...{ difference, dialogue, ids, created, commandOf, script, performed, eventsMs, steps, reached },
    ...{ isUndecided: endedEarly, looks: run.questions.count + run.views.count },
  };
}

const resolveAll = ({ names }: Pair, all: Iterable<string>): Readonly<Record<string, string>> =>
  Object.fromEntries([...all].map((name) => [removeMarks(name), names.resolve(0, name)]));
