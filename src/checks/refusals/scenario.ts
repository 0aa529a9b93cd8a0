import type { components } from '../../contract/generated/control.ts';
import type { DecisionId } from '../../contract/generated/decisions.ts';
import type { GateId } from '../../contract/generated/gates.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { RuleId, RulesOf } from '../../contract/generated/rules.ts';

type Schemas = components['schemas'];

/**
 * A request that causes a refusal or a state transition. In paths and bodies, `{connections/northwind-concierge}` is replaced with the id
 * of the entity, and `$CONNECTION` with a value that an earlier call captured.
 */
export interface Scenario {
  /** Why the request gets its response, as one sentence. */
  readonly title: string;
  /** Calls of the control API before the request. */
  readonly before?: readonly ControlCall[];
  /** Calls of the control API that restore the world. */
  readonly after?: readonly ControlCall[];
  /** A fault that is added before the request and removed after it. */
  readonly fault?: Schemas['FaultRequest'];
  /** The path of a list that is requested first. The cursor of the list is added to the request. */
  readonly cursorOf?: string;
  /** The parameters of an authorization request that is sent first. The code is captured as `$CODE`. */
  readonly authorization?: Parameters;
  readonly request: ApiRequest;
  /** The number of copies of the request that are sent in parallel to exceed a rate limit. */
  readonly copies?: number;
  /** The default is the status of the rule in the contract. */
  readonly status?: number;
  /** The reason in the problem document, or the OAuth error. The default is the id of the rule. Null for a success. */
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

/** Stores a member of a JSON response as `$name`. For a redirect, stores the query parameter `code`. */
export interface Capture {
  readonly name: string;
  readonly member: string;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The name of a ready-made token of the demo world, `none`, or the kind of a token to mint. The default is `full`. */
  readonly token?: string | { readonly kind: Schemas['TokenKind'] };
  readonly headers?: Parameters;
  /** A string is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
  /** The fields of a form, instead of a body. */
  readonly form?: Parameters;
}

/** The scenarios of a rule, the simplest first, or why the rule has none. */
export type RuleScenarios =
  | readonly [Scenario, ...Scenario[]]
  /** The rule whose scenario also shows this rule. */
  | { readonly metWith: RuleId }
  /** Why a scenario with one request cannot show the rule, and the commands that can. */
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
/** The rows of the state table (States and transitions) that are not refusals. */
type StateTransitionRuleId = 'connections.update.activates' | 'connections.update.deactivates' | 'connections.delete.deleted';

/** Every rule of the service with a 4xx or 5xx response, every refusal of the authorization server, and every row of the state table. */
export type ScenarioRuleId = RefusalRuleId | StateTransitionRuleId | Exclude<OAuthRuleId, OAuthSuccessRuleId>;

/** The scenarios by rule. Refusals for other reasons (decisions and reasons of the kit) are optional. */
export type Scenarios = Readonly<Record<ScenarioRuleId, RuleScenarios>> & { readonly [Id in DecisionId | GateId]?: RuleScenarios };
