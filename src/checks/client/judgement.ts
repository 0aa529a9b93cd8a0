import type { Call } from './call.ts';
import type { History } from './history.ts';
import type { Provocation } from './provocations.ts';

/** What the calls show about one rule. */
export interface Judgement {
  /** The calls that show how the client follows the rule. Without such calls and without findings, the rule was not exercised. */
  readonly exercised: readonly Call[];
  readonly findings: readonly Finding[];
  /** Calls that may break the rule, which the calls alone cannot show, and why. */
  readonly doubt?: { readonly reason: string; readonly calls: readonly Call[] };
  /** What has to happen so that the rule is exercised, as a sentence. */
  readonly needs: string;
  /** The provocation that makes it happen. */
  readonly provocation?: Provocation;
}

/** One way in which the calls break a rule. */
export interface Finding {
  /** What was expected, what happened, and what to change. */
  readonly message: string;
  readonly calls: readonly Call[];
  /** The calls of `calls` that break the rule. Default: all. */
  readonly breaking?: readonly Call[];
}

/** What is known about the calls besides the calls themselves. */
export interface Facts {
  /** The number of entries that left the journal before they could be read. */
  readonly missed: number;
  /** Whether the calls begin with the first call to the kit. If false, what came earlier is unknown. */
  readonly complete: boolean;
  /** Whether the user says that the client always wants whole lists. */
  readonly wholeLists?: boolean;
  /** What the kit provoked. */
  readonly provoked?: readonly Provocation[];
}

export type JudgeRule = (history: History, facts: Facts) => Judgement;

/** Judges each of some calls on its own. @param problem returns the message for a call that breaks the rule */
export function judgeEach(calls: readonly Call[], needs: string, problem: (call: Call) => string | undefined): Judgement {
  const findings = calls.flatMap((call) => {
    const message = problem(call);
    return message === undefined ? [] : [{ message, calls: [call] }];
  });
  return { exercised: calls, findings, needs };
}
