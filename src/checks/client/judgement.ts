import type { Call } from './call.ts';
import type { History } from './history.ts';
import type { Provocation } from './provocations.ts';

/** The result of one rule. */
export interface Judgement {
  /** The calls that the rule applies to. If there are no such calls and no findings, the rule was not exercised. */
  readonly exercised: readonly Call[];
  readonly findings: readonly Finding[];
  /** Calls that may break the rule, and the reason why they do not prove that the rule is broken. */
  readonly uncertain?: { readonly reason: string; readonly calls: readonly Call[] };
  /** A sentence that says what the client must do to exercise the rule. */
  readonly needs: string;
  /** The provocation that exercises the rule. */
  readonly provocation?: Provocation;
}

/** A violation of a rule. */
export interface Finding {
  /** What was expected, what happened, and what to change. */
  readonly message: string;
  readonly calls: readonly Call[];
  /** The calls that break the rule. The default is all `calls`. */
  readonly breaking?: readonly Call[];
}

/** Facts about the recorded calls that some rules depend on. */
export interface Facts {
  /** The number of entries that were removed from the journal before they could be read. */
  readonly missed: number;
  /** Whether the calls begin with the first call to the kit. */
  readonly complete: boolean;
  /** Whether the user set `--whole-lists`. */
  readonly wholeLists?: boolean;
  /** The provocations that were enabled. */
  readonly provoked?: readonly Provocation[];
}

export type JudgeRule = (history: History, facts: Facts) => Judgement;

/** Checks each call separately. @param problem a function that returns the message if a call breaks the rule, and undefined otherwise */
export function judgeEach(calls: readonly Call[], needs: string, problem: (call: Call) => string | undefined): Judgement {
  const findings = calls.flatMap((call) => {
    const message = problem(call);
    return message === undefined ? [] : [{ message, calls: [call] }];
  });
  return { exercised: calls, findings, needs };
}
