import type { PathForm } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';

/** The version of the form below, of which results.schema.json is the description. It grows when a reader of the old form would go wrong. */
export const RESULTS_VERSION = 1;

/**
 * What became of a check, of a rule in one path form, or of a rule. `error`: the suite itself failed, the target is not judged.
 * `not-applicable`: the rule has no such path form, or the profile says so.
 */
export type Verdict = 'failed' | 'error' | 'passed' | 'not-testable' | 'not-applicable';

/** What a run found: results.json. */
export interface Results {
  readonly format: 'experience-provider-kit/conformance-results';
  readonly version: typeof RESULTS_VERSION;
  /** The version of the package that judged. */
  readonly kit: string;
  readonly target: { readonly baseUrl: string; readonly kind: 'kit' | 'foreign'; readonly name?: string | undefined };
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** True where the run was ended before its time: what was not judged by then is missing. */
  readonly interrupted: boolean;
  readonly forms: readonly PathForm[];
  /** True where only some rules were asked for. */
  readonly partial: boolean;
  readonly rules: readonly RuleResult[];
  readonly observations: readonly Observation[];
  /** What the run could not remove again, a line each. */
  readonly leftovers: readonly string[];
  /** What went wrong outside of any check, a text each. */
  readonly errors: readonly string[];
}

/** A rule and what became of it in each path form that was judged. */
export interface RuleResult {
  readonly id: RuleId;
  readonly text: string;
  readonly level: 'documented' | 'implied';
  /** The place in the specification. */
  readonly section: string;
  /** The resource it is shown under. */
  readonly resource: string;
  readonly verdict: Verdict;
  readonly cells: { readonly [Form in PathForm]?: Cell };
}

/** A rule in one path form. */
export interface Cell {
  readonly verdict: Verdict;
  /** Why it is not testable or not applicable. */
  readonly reason?: string | undefined;
  /** Capabilities that the target did not give, also where other checks of the rule passed. */
  readonly missing: readonly string[];
  readonly checks: readonly Check[];
}

/** One check of a rule: a test of the suite. */
export interface Check {
  readonly title: string;
  /** `rules/users.spec.ts:12` */
  readonly place: string;
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** Capabilities that the target did not give. */
  readonly missing?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  /** True where it passed as something did not come: in the time for which it was waited for, which proves nothing of later. */
  readonly bounded?: true | undefined;
  readonly failure?: Failure | undefined;
}

export interface Failure {
  /** What was expected and what came, in words. Secrets are replaced by `…`. */
  readonly message: string;
  /** The exchange that shows it. */
  readonly exchange?: Exchange | undefined;
  /** What was sent and came before it, oldest first. */
  readonly before?: readonly Exchange[] | undefined;
  /** Of the problem that came. */
  readonly traceId?: string | undefined;
  /** A command that sends the request again; `$TOKEN` stands for the access token. */
  readonly curl?: string | undefined;
}

/** What was sent and what came back, without secrets. */
export interface Exchange {
  readonly operationId?: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How the target was seen to decide what the specification leaves open. */
export interface Observation {
  readonly decision: string;
  readonly value: string | number | boolean;
  readonly forms: readonly PathForm[];
}
