import type { IntegrationRuleId } from './rules.ts';

/** What a check found about one rule in one attempt. */
export interface Outcome {
  readonly rule: IntegrationRuleId;
  /** What was tried, as one sentence, such as: An older event arrives after a newer one. */
  readonly title: string;
  /**
   * `not-exercised` if nothing happened that the rule applies to; `not-testable` if something is missing to test the rule; `error` if the
   * check itself failed.
   */
  readonly verdict: 'passed' | 'failed' | 'not-exercised' | 'not-testable' | 'error';
  /** Why the rule was not exercised or not testable. */
  readonly reason?: string;
  /** The options that are missing to test the rule, such as `--state-url`. */
  readonly missing?: readonly string[];
  /** Of `failed`: what was expected, what happened, and what to change. Of `error`: the error. */
  readonly message?: string;
  /** The deliveries or requests that the outcome is based on, oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** A command that repeats the attempt. */
  readonly replay?: string;
}

export interface TimelineEntry {
  /** ISO 8601. */
  readonly at: string;
  /** Who acted: the operator or portal (`world`), the service, the integration under test, or the check itself. */
  readonly by: 'world' | 'service' | 'integration' | 'check';
  /** One line of text. */
  readonly text: string;
  readonly traceId?: string;
  readonly webhookId?: string;
  /** The request and the response, without secrets. Reports show them on demand. */
  readonly request?: unknown;
  readonly response?: unknown;
  /** Whether this entry breaks the rule. */
  readonly violation?: boolean;
}
