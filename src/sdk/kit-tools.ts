import type { JsonWebKey } from 'node:crypto';
import type { components } from '../contract/generated/control.ts';
import type { EventType } from '../contract/generated/events.ts';
import type { ControlClient } from '../control-client/client.ts';
import type { EntityOf } from '../world/world.ts';
import type { DeliveryOf, DeliveryWait, EventHandler, SubscribeOptions, Subscription } from './event-types.ts';
import type { Finding, FindingsOptions, WebhookOptions, WebhookReport } from './finding.ts';

export type { ControlClient } from '../control-client/client.ts';

type Schemas = components['schemas'];

/** The name of a collection in the world, such as `accounts`. */
export type Collection = Schemas['Collection'];
export type Scope = Schemas['Scope'];
export type FaultRequest = Schemas['NewFault'];
/** Which account, Experience and subscription the event is for, and who makes the change. */
export type TriggerOptions = Schemas['Trigger'] & { readonly as?: 'portal' | 'platform' };

/** The tools with which a test controls a kit. */
export interface KitTools {
  /** A typed control API client. A call rejects if the control API refuses it. */
  readonly control: ControlClient;

  /** Reads and changes the world. Connections and assignments change as if by an end user, other entities as if by the platform. */
  readonly state: KitState;

  /**
   * Returns an entity's id.
   * @example await kit.id('accounts', 'northwind')
   * @throws UsageError if there is no such entity; the message suggests a similar alias
   */
  id(collection: Collection, alias: string): Promise<string>;

  /**
   * Mints an access token. By default, it has the first ready-made token's client and principal, and all scopes except offline_access.
   * @example const token = await kit.mint({ lacking: 'users:manage' })
   */
  mint(request?: MintRequest): Promise<string>;

  /**
   * Requests tokens as a provider does, with the code grant and PKCE.
   * @example const { accessToken } = await kit.login({ hint: '+12065550100' })
   * @throws LoginError if the authorization server refuses one of the requests
   */
  login(request?: LoginRequest): Promise<Tokens>;

  /**
   * Restores the world with which the kit was started, or another state. Removes faults, empties the journal and ends logins.
   * @param to `seed` (default), `empty`, or a snapshot's name
   * @example beforeEach(() => kit.reset())
   */
  reset(to?: string): Promise<void>;

  /**
   * Makes operations fail until the fault is removed.
   * @example await using fault = await kit.fault({ fault: 'problem', operation: 'getUsers', status: 429, times: 2 })
   * @example await kit.fault({ like: problem.traceId, fault: 'latency', latencyMs: 3000 }) // requests like an earlier one
   */
  fault(request: FaultRequest): Promise<Fault>;

  /**
   * Creates, changes or deletes an entity, so that the kit publishes an event of the type.
   * @example const { entityId } = await kit.trigger('provisioning.user.created', { account: 'northwind' })
   */
  trigger(event: EventType, options?: TriggerOptions): Promise<Schemas['Triggered']>;

  /**
   * Sends events to a URL or an event handler. By default, sends events of all types for all Experiences of the provider.
   * @example const events = await kit.subscribe((event) => { if (event.type === 'experience.connection.created') … })
   */
  subscribe<Type extends EventType = EventType>(
    to: string | EventHandler<Type>,
    options?: SubscribeOptions<Type>,
  ): Promise<Subscription<Type>>;

  readonly deliveries: {
    /**
     * Waits for deliveries. Returns them with their events, oldest first.
     * @throws WaitError after the timeout; the message says why the existing deliveries do not match
     */
    wait<Type extends EventType = EventType>(options?: DeliveryWait & { readonly type?: Type }): Promise<readonly DeliveryOf<Type>[]>;
    /** Returns the current position in the sequence of deliveries. Pass it to `wait` as `since` to select only later deliveries. */
    position(): Promise<string>;
  };

  /**
   * Waits until no delivery is pending. Held deliveries are not pending.
   * @param timeoutMs milliseconds of wall time; the default is 3000
   * @throws WaitError that says which deliveries are pending, and why
   */
  settled(timeoutMs?: number): Promise<void>;

  /**
   * Checks the calls so far against the client rules. Ignores requests from `kit.login`.
   * @example assert.deepEqual(await kit.findings(), [])
   */
  findings(options?: FindingsOptions): Promise<readonly Finding[]>;

  /**
   * Tests a webhook endpoint for several seconds. Changes the world, but deletes the entities that it creates.
   * @example assert.deepEqual((await kit.checkWebhook({ url, state: () => store.view() })).findings, [])
   */
  checkWebhook(options: WebhookOptions): Promise<WebhookReport>;
}

/** An entity with its alias and id. A telephone number has no id. */
export type Entity<C extends Collection> = EntityOf<C> & { readonly alias: string } & (C extends 'telephoneNumbers'
    ? unknown
    : { readonly id: string });
/** New values of members. Null removes a member. */
export type EntityPatch<C extends Collection> = { readonly [Member in keyof EntityOf<C>]?: EntityOf<C>[Member] | null };

export interface KitState {
  /** Returns an entity by its alias or id. */
  get<C extends Collection>(collection: C, alias: string): Promise<Entity<C>>;
  /**
   * Creates an entity and publishes the events. By default, the alias is the id.
   * @example await kit.state.add('connections', { account: 'fabrikam', experience: 'scheduler' })
   */
  add<C extends Collection>(collection: C, entity: EntityOf<C> & { readonly alias?: string }): Promise<Entity<C>>;
  /** Changes an entity's members and publishes the events. */
  set<C extends Collection>(collection: C, alias: string, changes: EntityPatch<C>): Promise<Entity<C>>;
  /** Deletes an entity and everything that depends on it, and publishes the events. */
  delete(collection: Collection, alias: string): Promise<void>;
}

export interface MintRequest {
  /** The alias or id of the client. */
  readonly client?: string;
  /** The alias or id of the principal. Null omits the principal claim. */
  readonly principal?: string | null;
  readonly scopes?: readonly Scope[];
  /** Scopes that the token lacks. */
  readonly lacking?: Scope | readonly Scope[];
  /** The lifetime in kit time, in seconds. The default is 3600. */
  readonly expiresIn?: number;
  /** The token's defect, such as `expired`. The default is `good`. */
  readonly kind?: Schemas['TokenKind'];
}

export interface LoginRequest {
  /** The user's telephone number in E.164 format. The default is the number of the first ready-made token's principal. */
  readonly hint?: string;
  /** The alias or id. The default is the first ready-made token's client. */
  readonly client?: string;
  /** The default is every scope, including offline_access. */
  readonly scope?: string | readonly Scope[];
  /** The default is the client's first redirect URI. Nothing needs to listen there. */
  readonly redirectUri?: string;
  /** The private key, for a client that authenticates with an assertion. */
  readonly key?: JsonWebKey & { readonly kid?: string };
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** The access token's lifetime, in seconds. */
  readonly expiresIn: number;
  readonly scope: string;
}

export interface Fault extends AsyncDisposable {
  readonly id: string;
  /** Returns the number of requests that the fault affected. */
  hits(): Promise<number>;
  remove(): Promise<void>;
}
