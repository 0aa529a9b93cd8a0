import type { Call } from './call.ts';
import type { History } from './history.ts';
import type { Provocation } from './provocations.ts';

export interface Judgement {
  /** The calls that the rule applies to. If there are neither calls nor findings, the rule was not exercised. */
  readonly exercised: readonly Call[];
  readonly findings: readonly Breach[];
  readonly uncertain?: { readonly reason: string; readonly calls: readonly Call[] };
  /** What the client must do to exercise the rule, as a sentence. */
  readonly needs: string;
  readonly provocation?: Provocation;
}

export interface Breach {
  /** What was expected, what happened, and what to change. */
  readonly message: string;
  readonly calls: readonly Call[];
  /** The calls that break the rule. The default is all `calls`. */
  readonly breaking?: readonly Call[];
}

export interface Facts {
  /** The number of entries that the journal removed before they were read. */
  readonly missed: number;
  /** Whether the recorded calls include every call since the kit's start. */
  readonly complete: boolean;
  readonly wholeLists?: boolean | undefined;
  /** Whether all calls belong to one session, so that one token at a time is enough for each client, principal and scopes. */
  readonly oneSession?: boolean | undefined;
  readonly provoked?: readonly Provocation[];
  /** Whether a kit answered, so that `--provoke` and commands that change a kit can cause what has not happened. Default: true. */
  readonly canProvoke?: boolean;
}

export type JudgeRule = (history: History, facts: Facts) => Judgement;

export function judgeEach(calls: readonly Call[], needs: string, problem: (call: Call) => string | undefined): Judgement {
  const findings = calls.flatMap((call) => {
    const message = problem(call);
    return message === undefined ? [] : [{ message, calls: [call] }];
  });
  return { exercised: calls, findings, needs };
}
