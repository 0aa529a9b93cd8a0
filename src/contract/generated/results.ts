// Machine-written by `npm run generate` from src/report/results.schema.json. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * Results of a run, version 3
     * @description What `xpk conformance`, `xpk check webhook` and `xpk check client` write to results.json. Members may be added within a version; none is removed or changes its meaning. In version 2, columns is called forms. In version 1 there is no verdict partly-tested: such a rule is passed.
     */
    readonly Results: {
      /** @constant */
      readonly format: "experience-provider-kit/conformance-results";
      /** @constant */
      readonly version: 3;
      /** @description The version of this package. */
      readonly kit: string;
      readonly target: {
        /** @description Of a kit or a foreign server, its base URL. Of a webhook endpoint, its URL. Of a client, the base URL of the kit that it called. */
        readonly baseUrl: string;
        /**
         * @description What was tested: a server (kit, foreign), or an integration (webhook: an endpoint for events; client: the calls of a client).
         * @enum {unknown}
         */
        readonly kind: "kit" | "foreign" | "webhook" | "client";
        readonly name?: string;
        /** @description The version of what was tested: that of a kit, or --target-version. */
        readonly version?: string;
        /** @description The SHA-256 digest of the target's profile without its secrets. */
        readonly profile?: string;
      };
      /** @description The rules that decide the exit status: a frozen set (--requirements), or, without a name, all rules of this version of the kit. */
      readonly requirements?: {
        readonly name?: string;
        /** @description The SHA-256 digest of the rules' ids, levels and texts. */
        readonly digest: string;
      };
      /** @description The seed of the random sequences, and with --verify of the order of the rules. */
      readonly seed?: number;
      /** @description How often the suite ran (--verify). Absent: once. */
      readonly runs?: number;
      /** @description RFC 3339, UTC. */
      readonly startedAt: string;
      readonly durationMs: number;
      /** @description The run was interrupted, so rules may be untested. */
      readonly interrupted: boolean;
      /** @description Why the run did not see everything that it had to judge. Such a run always fails. */
      readonly incomplete?: string;
      /** @description The columns of the table of rules: the path forms in which a server was tested, or integration. */
      readonly columns: readonly components["schemas"]["Column"][];
      /** @description Only some rules were selected. */
      readonly partial: boolean;
      /** @description The number of rules with each verdict. It stands before the rules, so that a list of reports can omit them. Absent in files of earlier versions of xpk. */
      readonly verdicts?: {
        readonly [key: string]: number;
      };
      readonly rules: readonly components["schemas"]["RuleResult"][];
      readonly observations: readonly components["schemas"]["Observation"][];
      /** @description What the run created and could not remove, a line each. */
      readonly leftovers: readonly string[];
      /** @description Errors outside checks. */
      readonly errors: readonly string[];
      /** @description What the run observed and what breaks no rule, a sentence each. */
      readonly notes?: readonly string[];
      /** @description The service answers that the specification documents, and which of them a client received. */
      readonly coverage?: readonly components["schemas"]["Coverage"][];
    };
    /** @enum {unknown} */
    readonly Form: "prefixed" | "flat";
    /** @enum {unknown} */
    readonly Column: "prefixed" | "flat" | "integration";
    /**
     * @description The verdict on a check, on a rule in one column, or on a rule. error: the suite or the check itself failed, which says nothing about the target. flaky: the runs of --verify, or the repetitions of a check in such a run, do not agree. partly-tested: some checks of the rule passed and others are not testable or not exercised; a single check is never partly tested. not-exercised: nothing happened that the rule is about. not-applicable: the rule does not have this column, or the profile excludes it. Of several, the first of failed, flaky, error, partly-tested, passed, not-testable, not-exercised and not-applicable counts.
     * @enum {unknown}
     */
    readonly Verdict: "failed" | "flaky" | "error" | "partly-tested" | "passed" | "not-testable" | "not-exercised" | "not-applicable";
    /** @description A rule, and its verdict in each column. */
    readonly RuleResult: {
      readonly id: string;
      readonly text: string;
      /**
       * @description advice: good practice of an integration, which never fails a run.
       * @enum {unknown}
       */
      readonly level: "documented" | "implied" | "advice";
      /** @description The section of the specification. */
      readonly section: string;
      /** @description The resource under which reports list it. */
      readonly resource: string;
      readonly verdict: components["schemas"]["Verdict"];
      /** @description Why the rule does not affect the exit status: what makes it different from the requirements, such as "newer than 2026-11". */
      readonly unscored?: string;
      readonly cells: {
        readonly prefixed?: components["schemas"]["Cell"];
        readonly flat?: components["schemas"]["Cell"];
        readonly integration?: components["schemas"]["Cell"];
      };
    };
    /** @description A rule in one column. */
    readonly Cell: {
      readonly verdict: components["schemas"]["Verdict"];
      /** @description Why it is partly tested, not testable, not exercised or not applicable. */
      readonly reason?: string;
      /** @description Capabilities that the target lacks, or options that were not given, even if other checks of the rule passed or failed. */
      readonly missing: readonly string[];
      readonly checks: readonly components["schemas"]["Check"][];
    };
    /** @description One check of a rule: a test of the suite, or an attempt or observation of a check of an integration. */
    readonly Check: {
      readonly title: string;
      /** @description Such as rules/users.spec.ts:12. */
      readonly place?: string;
      readonly verdict: components["schemas"]["Verdict"];
      /** @description Of a flaky check: the last exchange in a run in which the check passed. The failure is that of another run. */
      readonly exchange?: components["schemas"]["Exchange"];
      readonly durationMs?: number;
      /** @description Capabilities without which a check that passed would not be testable. */
      readonly needed?: readonly string[];
      /** @description Capabilities that the target lacks, or options that were not given. */
      readonly missing?: readonly string[];
      readonly reason?: string;
      /**
       * @description It passed because something did not come while the suite waited. It may come later.
       * @constant
       */
      readonly bounded?: true;
      /**
       * @description A check of another rule, or the exploration, found the failure.
       * @constant
       */
      readonly incidental?: true;
      /**
       * @description It is not testable because the suite or its machine was too slow, which says nothing about the target.
       * @constant
       */
      readonly inconclusive?: true;
      readonly failure?: components["schemas"]["Failure"];
      /** @description The deliveries or requests that the verdict is based on, oldest first. */
      readonly timeline?: readonly components["schemas"]["TimelineEntry"][];
      /** @description A command that repeats the check. */
      readonly replay?: string;
    };
    readonly TimelineEntry: {
      /** @description RFC 3339. */
      readonly at: string;
      /**
       * @description Who acted: the operator or the portal (world), the service, the integration under test, or the check itself.
       * @enum {unknown}
       */
      readonly by: "world" | "service" | "integration" | "check";
      /** @description One line of text. */
      readonly text: string;
      readonly traceId?: string;
      readonly webhookId?: string;
      /** @description Without secrets. */
      readonly request?: unknown;
      /** @description Without secrets. */
      readonly response?: unknown;
      /** @description Whether this entry breaks the rule. */
      readonly violation?: boolean;
    };
    /** @description A service answer, and how often the client received it. */
    readonly Coverage: {
      readonly operation: string;
      readonly status: number;
      /** @description The id of the rule of the service by which it gives the answer. */
      readonly rule?: string;
      /** @description When the service gives the answer. */
      readonly text: string;
      /** @description How often the client received the answer. */
      readonly met: number;
      /** @description What the client did next, a sentence for each different reaction. */
      readonly next?: readonly string[];
      /**
       * @description False if the client received an answer that the specification does not document. Absent for a documented answer.
       * @constant
       */
      readonly documented?: false;
      /** @description A command that makes the service give the answer. */
      readonly provoke?: string;
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
export type Column = components['schemas']['Column'];
export type Verdict = components['schemas']['Verdict'];
export type RuleResult = components['schemas']['RuleResult'];
export type Cell = components['schemas']['Cell'];
export type Check = components['schemas']['Check'];
export type TimelineEntry = components['schemas']['TimelineEntry'];
export type Coverage = components['schemas']['Coverage'];
export type Exchange = components['schemas']['Exchange'];
export type Observation = components['schemas']['Observation'];
export type Failure = components['schemas']['Failure'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
