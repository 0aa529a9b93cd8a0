import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '../../src/contract/generated/control.ts';
import { send } from './send.ts';

type Schemas = components['schemas'];

/** Who changes the world instead of the provider. */
export type Place = 'portal' | 'platform';

/** What a kit says of itself. */
export interface KitInfo {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly decisions: Readonly<Record<string, unknown>>;
}

/** The control API of a kit, which does what an operator does elsewhere. */
export interface Control {
  /** The base URL of the kit, without a trailing slash. */
  readonly url: string;
  /** @param as who does it, for kits that distinguish the portal from the platform. */
  create(collection: Schemas['Collection'], entity: Readonly<Record<string, unknown>>, as?: Place): Promise<{ id: string; alias: string }>;
  /** Undefined if there is none with this id. */
  find(collection: Schemas['Collection'], id: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  all(collection: Schemas['Collection']): Promise<readonly Readonly<Record<string, unknown>>[]>;
  change(collection: Schemas['Collection'], id: string, members: Readonly<Record<string, unknown>>, as?: Place): Promise<void>;
  remove(collection: Schemas['Collection'], id: string, as?: Place): Promise<void>;
  token(request: Schemas['TokenRequest']): Promise<string>;
  /** @returns the id of the fault. */
  fault(request: Schemas['FaultRequest']): Promise<string>;
  removeFault(id: string): Promise<void>;
  /** The settings it was started with, and the decisions in force. */
  info(): Promise<KitInfo>;
  /** Sends the subscription an empty payload. @returns why the first attempt was not acknowledged; undefined if it was */
  knock(subscriptionId: string): Promise<string | undefined>;
  /** Whether a delivery to the subscription is not acknowledged yet: 0 or 1. */
  pending(subscriptionId: string): Promise<number>;
  /** Kit time, in milliseconds since 1970. */
  now(): Promise<number>;
  /** Moves kit time forward by milliseconds. */
  advance(ms: number): Promise<void>;
  /** From the metadata of the authorization server (RFC 8414). */
  tokenEndpoint(): Promise<string>;
}

/** The control API refused a request. */
export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The interval for polling a delivery, in milliseconds. */
const KNOCK_EVERY_MS = 20;

/** Some calls answer only after deliveries were attempted. */
const TIMEOUT_MS = 60_000;

const by = (as: Place | undefined) => (as === undefined ? '' : `?as=${as}`);

/** @param url the base URL of the kit, without a trailing slash */
export function createControl(url: string, controlToken?: string): Control {
  const settings = { headers: controlToken ? { 'x-control-token': controlToken } : {}, timeoutMs: TIMEOUT_MS };
  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const { status, text, json } = await send(method, `${url}/_control${path}`, { body }, settings);
    if (status >= 300) throw new ControlRefusal(status, `the control API refused ${method} ${path} (${status}): ${text}`);
    if (text !== '' && json === undefined)
      throw new Error(`the control API answered ${method} ${path} without JSON: ${text.slice(0, 200)}`);
    return json as Body;
  }
  return {
    url,
    create: (collection, entity, as) => call('POST', `/state/${collection}${by(as)}`, entity),
    async find(collection, id) {
      try {
        return await call('GET', `/state/${collection}/${encodeURIComponent(id)}`);
      } catch (error) {
        if (error instanceof ControlRefusal) return undefined;
        throw error;
      }
    },
    all: async (collection) => Object.values(await call<Schemas['Entities']>('GET', `/state/${collection}`)),
    change: (collection, id, members, as) => call('PATCH', `/state/${collection}/${encodeURIComponent(id)}${by(as)}`, members),
    remove: (collection, id, as) => call('DELETE', `/state/${collection}/${encodeURIComponent(id)}${by(as)}`),
    token: async (request) => (await call<Schemas['MintedToken']>('POST', '/tokens', request)).accessToken,
    fault: async (request) => (await call<Schemas['Fault']>('POST', '/faults', request)).id,
    removeFault: (id) => call('DELETE', `/faults/${encodeURIComponent(id)}`),
    info: () => call('GET', '/info'),
    async knock(subscription) {
      const { id } = await call<Schemas['Delivery']>('POST', '/events/raw', { subscription, body: {}, allowInvalid: true });
      for (;;) {
        const { attemptLog } = await call<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${id}`);
        const [first] = attemptLog;
        if (first !== undefined) return first.error ?? (first.status === 204 ? undefined : `the response was ${first.status}`);
        await pause(KNOCK_EVERY_MS);
      }
    },
    pending: async (id) =>
      (await call<readonly unknown[]>('GET', `/deliveries?subscription=${encodeURIComponent(id)}&state=pending&limit=1`)).length,
    now: async () => Date.parse((await call<Schemas['Clock']>('GET', '/clock')).now),
    // Do not wait for endpoints, which may never answer.
    advance: async (ms) => void (await call('POST', '/clock/advance', { by: Math.ceil(ms), maxWaitMs: 0 })),
    async tokenEndpoint() {
      const metadata = (await (await fetch(`${url}/auth/.well-known/oauth-authorization-server`)).json()) as { token_endpoint: string };
      return metadata.token_endpoint;
    },
  };
}

/**
 * Whether there is a control API: one that can be used, one that requires a (or another) control token, or none.
 * @param url without a trailing slash
 */
export async function findControl(url: string, controlToken?: string): Promise<'found' | 'locked' | 'none'> {
  const headers: Record<string, string> = controlToken === undefined ? {} : { 'x-control-token': controlToken };
  const answer = await fetch(`${url}/_control/info`, { headers, signal: AbortSignal.timeout(5000), redirect: 'manual' }).catch(
    () => undefined,
  );
  // Other servers also answer unknown paths with 401, but not with this realm.
  if (answer?.status === 401 && answer.headers.get('www-authenticate')?.includes('realm="control"')) return 'locked';
  if (answer?.status !== 200) return 'none';
  const info = (await answer.json().catch(() => undefined)) as Partial<Schemas['Info']> | undefined;
  return typeof info?.version === 'string' && typeof info.world === 'string' ? 'found' : 'none';
}
