import type { PathForm } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';

/** The version of this format, which results.schema.json describes. It is increased by changes that break readers. */
export const RESULTS_VERSION = 1;

/**
 * The verdict on a check, on a rule in one path form, or on a rule. `error`: the suite itself failed, which says nothing about the target.
 * `not-applicable`: the rule does not have this path form, or the profile excludes it.
 */
export type Verdict = 'failed' | 'error' | 'passed' | 'not-testable' | 'not-applicable';

/** The results of a run: results.json. */
export interface Results {
  readonly format: 'experience-provider-kit/conformance-results';
  readonly version: typeof RESULTS_VERSION;
  /** The version of this package. */
  readonly kit: string;
  readonly target: { readonly baseUrl: string; readonly kind: 'kit' | 'foreign'; readonly name?: string | undefined };
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The run was interrupted, so rules may be untested. */
  readonly interrupted: boolean;
  readonly forms: readonly PathForm[];
  /** Only some rules were selected. */
  readonly partial: boolean;
  readonly rules: readonly RuleResult[];
  readonly observations: readonly Observation[];
  /** What the run created and could not remove, a line each. */
  readonly leftovers: readonly string[];
  /** Errors outside of checks. */
  readonly errors: readonly string[];
}

/** A rule, and its verdict in each path form that was tested. */
export interface RuleResult {
  readonly id: RuleId;
  readonly text: string;
  readonly level: 'documented' | 'implied';
  /** The section of the specification. */
  readonly section: string;
  /** The resource under which reports list it. */
  readonly resource: string;
  readonly verdict: Verdict;
  readonly cells: { readonly [Form in PathForm]?: Cell };
}

/** A rule in one path form. */
export interface Cell {
  readonly verdict: Verdict;
  /** Why it is not testable or not applicable. */
  readonly reason?: string | undefined;
  /** Capabilities that the target lacks, even if other checks of the rule passed. */
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
  /** Capabilities that the target lacks. */
  readonly missing?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  /** It passed because something did not come while the suite waited. It may come later. */
  readonly bounded?: true | undefined;
  readonly failure?: Failure | undefined;
}

export interface Failure {
  /** What was expected, and what came instead. Secrets are replaced by `…`. */
  readonly message: string;
  /** The exchange that broke the rule. */
  readonly exchange?: Exchange | undefined;
  /** The exchanges before it, oldest first. */
  readonly before?: readonly Exchange[] | undefined;
  /** Of the problem in the response. */
  readonly traceId?: string | undefined;
  /** A command that repeats the request; `$TOKEN` stands for the access token. */
  readonly curl?: string | undefined;
}

/** A request and its response, without secrets. */
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

/** An observed decision: how the target does what the specification leaves open. */
export interface Observation {
  readonly decision: string;
  readonly value: string | number | boolean;
  readonly forms: readonly PathForm[];
}
