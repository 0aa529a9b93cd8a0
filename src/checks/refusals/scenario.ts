import type { components } from '../../contract/generated/control.ts';
import type { DecisionId } from '../../contract/generated/decisions.ts';
import type { GateId } from '../../contract/generated/gates.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { RuleId, RulesOf } from '../../contract/generated/rules.ts';

type Schemas = components['schemas'];

/**
 * A request that causes a refusal or a state transition. In its strings, `{connections/northwind-concierge}` is replaced with that
 * connection's id, and `$CONNECTION` with a value from an earlier response.
 */
export interface Scenario {
  /** Why the request gets this response, as a sentence. */
  readonly title: string;
  readonly before?: readonly ControlCall[];
  /** Control API calls that restore the world. */
  readonly after?: readonly ControlCall[];
  readonly fault?: Schemas['FaultRequest'];
  /** The path of a list whose cursor is added to the request. */
  readonly cursorOf?: string;
  /** The parameters of a first authorization request, whose code is captured as `$CODE`. */
  readonly authorization?: Parameters;
  readonly request: ApiRequest;
  /** The number of copies to send in parallel, to exceed a rate limit. */
  readonly copies?: number;
  /** The expected status. The default is the rule's status in the contract. */
  readonly status?: number;
  /** The expected reason or OAuth error. The default is the rule's id. Null for a success. */
  readonly answer?: string | null;
}

export type Parameters = Readonly<Record<string, string>>;

export interface ControlCall {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below /_control. */
  readonly path: string;
  readonly body?: object;
  readonly capture?: Capture;
}

/** Stores a member of the JSON response as `$name`. If `member` is `code`, stores the redirect's query parameter `code`. */
export interface Capture {
  readonly name: string;
  readonly member: string;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** `none` for no token, the name of a ready-made token, or the kind of token to mint. The default is `full`. */
  readonly token?: string | { readonly kind: Schemas['TokenKind'] };
  readonly headers?: Parameters;
  /** Strings are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly form?: Parameters;
}

/** A rule's scenarios, simplest first, or why the rule has none. */
export type RuleScenarios =
  | readonly [Scenario, ...Scenario[]]
  /** The rule whose scenario also shows this rule. */
  | { readonly metWith: RuleId }
  /** Why one request cannot show the rule, and the commands that can. */
  | { readonly reason: string };

type ErrorStatus<Status> = `${Status & (string | number)}` extends `4${string}` | `5${string}` ? Status : never;
type RefusalRuleId = {
  [Op in OperationId]: { [S in keyof RulesOf[Op]]: S extends ErrorStatus<S> ? RulesOf[Op][S] : never }[keyof RulesOf[Op]];
}[OperationId];
type OAuthRuleId = Extract<
  RuleId,
  `oauth.${'pkce' | 'clients' | 'code'}.${string}` | `oauth.authorize.${string}-unknown` | 'oauth.callback.denied'
>;
type OAuthSuccessRuleId = 'oauth.pkce.s256' | 'oauth.pkce.verifier-lengths-accepted';
/** The rows of the state table (States and transitions), except refusals. */
type StateTransitionRuleId = 'connections.update.activates' | 'connections.update.deactivates' | 'connections.delete.deleted';

export type ScenarioRuleId = RefusalRuleId | StateTransitionRuleId | Exclude<OAuthRuleId, OAuthSuccessRuleId>;

export type Scenarios = Readonly<Record<ScenarioRuleId, RuleScenarios>> & { readonly [Id in DecisionId | GateId]?: RuleScenarios };
