// Machine-written by `npm run generate` from src/report/results.schema.json. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Results of a conformance run, version 2
     * @description What `xpk conformance` writes to results.json. Members may be added within a version; none is removed or changes its meaning. In version 1 there is no verdict partly-tested: such a rule is passed.
     */
    readonly Results: {
      /** @constant */
      readonly format: "experience-provider-kit/conformance-results";
      /** @constant */
      readonly version: 2;
      /** @description The version of this package. */
      readonly kit: string;
      readonly target: {
        readonly baseUrl: string;
        /** @enum {unknown} */
        readonly kind: "kit" | "foreign";
        readonly name?: string;
      };
      /** @description RFC 3339, UTC. */
      readonly startedAt: string;
      readonly durationMs: number;
      /** @description The run was interrupted, so rules may be untested. */
      readonly interrupted: boolean;
      readonly forms: readonly components["schemas"]["Form"][];
      /** @description Only some rules were selected. */
      readonly partial: boolean;
      readonly rules: readonly components["schemas"]["RuleResult"][];
      readonly observations: readonly components["schemas"]["Observation"][];
      /** @description What the run created and could not remove, a line each. */
      readonly leftovers: readonly string[];
      /** @description Errors outside of checks. */
      readonly errors: readonly string[];
    };
    /** @enum {unknown} */
    readonly Form: "prefixed" | "flat";
    /**
     * @description The verdict on a check, on a rule in one path form, or on a rule. error: the suite itself failed, which says nothing about the target. partly-tested: some checks of the rule passed and others are not testable; a single check is never partly tested. not-applicable: the rule does not have this path form, or the profile excludes it. Of several, the first of failed, error, partly-tested, passed, not-testable and not-applicable counts.
     * @enum {unknown}
     */
    readonly Verdict: "failed" | "error" | "partly-tested" | "passed" | "not-testable" | "not-applicable";
    /** @description A rule, and its verdict in each path form that was tested. */
    readonly RuleResult: {
      readonly id: string;
      readonly text: string;
      /** @enum {unknown} */
      readonly level: "documented" | "implied";
      /** @description The section of the specification. */
      readonly section: string;
      /** @description The resource under which reports list it. */
      readonly resource: string;
      readonly verdict: components["schemas"]["Verdict"];
      readonly cells: {
        readonly prefixed?: components["schemas"]["Cell"];
        readonly flat?: components["schemas"]["Cell"];
      };
    };
    /** @description A rule in one path form. */
    readonly Cell: {
      readonly verdict: components["schemas"]["Verdict"];
      /** @description Why it is partly tested, not testable or not applicable. */
      readonly reason?: string;
      /** @description Capabilities that the target lacks, even if other checks of the rule passed or failed. */
      readonly missing: readonly string[];
      readonly checks: readonly components["schemas"]["Check"][];
    };
    /** @description One check of a rule: a test of the suite. */
    readonly Check: {
      readonly title: string;
      /** @description Such as rules/users.spec.ts:12. */
      readonly place: string;
      readonly verdict: components["schemas"]["Verdict"];
      readonly durationMs: number;
      /** @description Capabilities without which a check that passed would not be testable. */
      readonly needed?: readonly string[];
      /** @description Capabilities that the target lacks. */
      readonly missing?: readonly string[];
      readonly reason?: string;
      /**
       * @description It passed because something did not come while the suite waited. It may come later.
       * @constant
       */
      readonly bounded?: true;
      readonly failure?: components["schemas"]["Failure"];
    };
    /** @description A request and its response, without secrets. */
    readonly Exchange: {
      readonly operationId?: string;
      readonly method: string;
      readonly url: string;
      readonly requestHeaders: {
        readonly [key: string]: string;
      };
      readonly requestBody?: string;
      readonly status: number;
      readonly headers: {
        readonly [key: string]: string;
      };
      readonly text: string;
    };
    /** @description An observed decision: how the target does what the specification leaves open. */
    readonly Observation: {
      readonly decision: string;
      readonly value: string | number | boolean;
      readonly forms: readonly components["schemas"]["Form"][];
    };
    readonly Failure: {
      /** @description What was expected, and what came instead. Secrets are replaced by …. */
      readonly message: string;
      /** @description The exchange that broke the rule. */
      readonly exchange?: components["schemas"]["Exchange"];
      /** @description The exchanges before it, oldest first. */
      readonly before?: readonly components["schemas"]["Exchange"][];
      /** @description Of the problem in the response. */
      readonly traceId?: string;
      /** @description A command that repeats the request; $TOKEN stands for the access token. */
      readonly curl?: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Results = components['schemas']['Results'];
export type Form = components['schemas']['Form'];
export type Verdict = components['schemas']['Verdict'];
export type RuleResult = components['schemas']['RuleResult'];
export type Cell = components['schemas']['Cell'];
export type Check = components['schemas']['Check'];
export type Exchange = components['schemas']['Exchange'];
export type Observation = components['schemas']['Observation'];
export type Failure = components['schemas']['Failure'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
