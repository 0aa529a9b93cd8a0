import type { Call } from './call.ts';
import type { History } from './history.ts';
import type { Provocation } from './provocations.ts';

/** The result of one rule. */
export interface Judgement {
  /** The calls that follow the rule. If there are no such calls and no findings, the rule was not exercised. */
  readonly exercised: readonly Call[];
  readonly findings: readonly Finding[];
  /** Calls that may break the rule, and why the calls alone do not prove it. */
  readonly doubt?: { readonly reason: string; readonly calls: readonly Call[] };
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
  /** The members of `calls` that break the rule. Default: all. */
  readonly breaking?: readonly Call[];
}

/** What the checks need to know about the recorded calls. */
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

/** Checks each call separately. @param problem returns the message for a call that breaks the rule */
export function judgeEach(calls: readonly Call[], needs: string, problem: (call: Call) => string | undefined): Judgement {
  const findings = calls.flatMap((call) => {
    const message = problem(call);
    return message === undefined ? [] : [{ message, calls: [call] }];
  });
  return { exercised: calls, findings, needs };
}
