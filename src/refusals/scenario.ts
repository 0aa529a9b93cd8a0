import type { components } from '../contract/generated/control.ts';

type Schemas = components['schemas'];

/** What happens before and after a scenario's request, and what its response should be. */
export interface Preparation {
  readonly before?: readonly ControlCall[];
  /** Control API calls that restore the world. */
  readonly after?: readonly ControlCall[];
  readonly fault?: Schemas['FaultRequest'];
  /** The path of a list whose cursor is added to the request. */
  readonly cursorOf?: string;
  /** The parameters of a first authorization request, whose code is captured as `$CODE`. */
  readonly authorization?: Parameters;
  /** The number of copies to send in parallel, to exceed a rate limit. */
  readonly copies?: number;
  /** The expected status. The default is the status in the contract. */
  readonly status?: number;
  /** The expected reason or OAuth error. The default is the rule's id. Null for a success. */
  readonly answer?: string | null;
}

/**
 * A request that causes a refusal or a state transition. In its strings, `{connections/northwind-concierge}` is replaced with that
 * connection's id, and `$CONNECTION` with a value from an earlier response.
 */
export interface Scenario extends Preparation {
  readonly title: string;
  readonly request: ApiRequest;
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
