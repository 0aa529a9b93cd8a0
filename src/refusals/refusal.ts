import type { DecisionId } from '../contract/generated/decisions.ts';
import type { GateId } from '../contract/generated/gates.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { RuleId, RulesOf } from '../contract/generated/rules.ts';
import type { HostileValue } from './hostile-value.ts';
import type { ApiRequest, Preparation } from './scenario.ts';

/** The values that the demo world and a target profile provide under the same names. */
export type PlaceholderName =
  | 'account'
  | `${'account' | 'experience' | 'number' | 'user'}.any`
  | `${'account' | 'experience' | 'user'}.hidden`
  | 'experience'
  | 'experience.read-only'
  | 'number.second-account'
  | 'numbers'
  | 'users';

/** Stands for a value of a world or target, because tables are built before one is known. Of several values, each use gets the next one. */
export interface Placeholder {
  readonly capability: PlaceholderName;
}

export const createPlaceholder = (capability: PlaceholderName): Placeholder => ({ capability });

export const isPlaceholder = (value: unknown): value is Placeholder => typeof value === 'object' && value !== null && 'capability' in value;

export type Values = Readonly<Record<string, unknown>>;

/** A caller other than the default one. `nobody` sends no token. `invalid` sends a token that cannot be verified. */
export type Caller = 'nobody' | 'invalid' | 'reader' | 'outsider' | 'without-scope' | 'without-claim' | 'without-claim-and-scope';

/** A change that makes a valid call invalid. */
export interface CallChange {
  /** The valid call's values. Absent: the values of the operation's sample. */
  readonly valid?: Values;
  /** Values that replace the valid call's values. Undefined removes a parameter or member. */
  readonly values?: Values;
  readonly id?: string | Placeholder;
  /** Sends one call for each of these instead of `values` and `id`. */
  readonly each?: readonly Pick<CallChange, 'values' | 'id'>[];
  readonly as?: Caller;
  readonly rawBody?: string;
}

/** A change that is refused: a check of the suite, a scenario for the demo world, or both. */
export interface Refusal extends CallChange, Preparation {
  /** Why the request gets this response, as a sentence. Absent: not a scenario. */
  readonly title?: string;
  /** Whether the request is only a scenario: it needs the demo world, or other servers may accept it. */
  readonly demo?: true;
  /** Default: the rule's only operation. Absent for a decision or gate: `request` is the whole request. */
  readonly operation?: OperationId;
  /** Parts of the scenario's request that `CallChange` cannot express. */
  readonly request?: Partial<ApiRequest>;
  /** The statuses that a check permits. Default: the rule's status in the contract, or else any 4xx except 429. */
  readonly statuses?: readonly number[];
}

/** A check of the suite and a scenario. */
export const both = (title: string, refusal: Omit<Refusal, 'title' | 'demo'> = {}): Refusal => ({ title, ...refusal });
/** Only a scenario. */
export const demo = (title: string, refusal: Omit<Refusal, 'title' | 'demo'> = {}): Refusal => ({ title, demo: true, ...refusal });
/** A check that sends each hostile value of a parameter or member. */
export const hostile = (values: readonly HostileValue<unknown>[], name: string, valid?: Values): Refusal => ({
  ...(valid && { valid }),
  each: values.map(({ value }) => ({ values: { [name]: value } })),
});

/** What a rule's refusals are, the simplest scenario first, or why the rule has no scenario of its own. */
export type Refusals =
  | readonly [Refusal, ...Refusal[]]
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

type ScenarioRuleId = RefusalRuleId | StateTransitionRuleId | Exclude<OAuthRuleId, OAuthSuccessRuleId>;

export type RefusalTable = Readonly<Record<ScenarioRuleId, Refusals>> & { readonly [Id in RuleId | DecisionId | GateId]?: Refusals };
