import { setTimeout as pause } from 'node:timers/promises';
import type { components } from '../../src/contract/generated/control.ts';
import { fetchWhole } from '../../src/contract/limited-body.ts';
import { send } from './send.ts';

type Schemas = components['schemas'];
type Collection = Schemas['Collection'];
type Members = Readonly<Record<string, unknown>>;

export type ChangeOrigin = 'portal' | 'platform';

export type Control = ReturnType<typeof createControl>;

export class ControlRefusal extends Error {
  override readonly name = 'ControlRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof ControlRefusal)) throw error;
}

const ATTEMPTS_POLL_MS = 20;

/** The timeout is long because some responses are sent only after delivery attempts. */
const REQUEST_TIMEOUT_MS = 60_000;

/** The limit is large, because some responses contain a whole world. */
const MAX_BYTES = 256_000_000;

/** @param url the kit's base URL, without a trailing slash */
export function createControl(url: string, controlToken?: string) {
  const settings = { headers: controlToken ? { 'x-control-token': controlToken } : {}, timeoutMs: REQUEST_TIMEOUT_MS, maxBytes: MAX_BYTES };
  async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const { status, text, json } = await send(method, `${url}/_control${path}`, { body }, settings);
    if (status >= 300) throw new ControlRefusal(status, `the control API refused ${method} ${path} (${status}): ${text}`);
    if (text !== '' && json === undefined)
      throw new Error(`the control API answered ${method} ${path} without JSON: ${text.slice(0, 200)}`);
    return json as Body;
  }
  const formatOriginQuery = (origin: ChangeOrigin | undefined) => (origin === undefined ? '' : `?as=${origin}`);
  const formatPath = (collection: Collection, id: string) => `/state/${collection}/${encodeURIComponent(id)}`;
  return {
    create: (collection: Collection, entity: Members, origin?: ChangeOrigin) =>
      call<{ id: string; alias: string }>('POST', `/state/${collection}${formatOriginQuery(origin)}`, entity),
    /** Creates entities in a collection with one request. @returns their ids, in the same order */
    createAll: async (collection: Collection, entities: readonly (Members & { readonly alias: string })[]): Promise<string[]> => {
      const byAlias = Object.fromEntries(entities.map(({ alias, ...members }) => [alias, members]));
      const created = await call<Schemas['EntitiesByCollection']>('POST', '/state', { [collection]: byAlias });
      return entities.map(({ alias }) => String(created[collection]?.[alias]?.id ?? alias));
    },
    /** Returns an entity; undefined if the collection has no entity with this id. */
    find: (collection: Collection, id: string) => call<Members>('GET', formatPath(collection, id)).catch(ignoreRefusal),
    all: async (collection: Collection): Promise<readonly Members[]> =>
      Object.values(await call<Schemas['Entities']>('GET', `/state/${collection}`)),
    change: (collection: Collection, id: string, members: Members, origin?: ChangeOrigin) =>
      call<void>('PATCH', `${formatPath(collection, id)}${formatOriginQuery(origin)}`, members),
    remove: (collection: Collection, id: string, origin?: ChangeOrigin) =>
      call<void>('DELETE', `${formatPath(collection, id)}${formatOriginQuery(origin)}`),
    token: async (request: Schemas['TokenRequest']) => (await call<Schemas['MintedToken']>('POST', '/tokens', request)).accessToken,
    fault: async (request: Schemas['FaultRequest']) => (await call<Schemas['Fault']>('POST', '/faults', request)).id,
    removeFault: (id: string) => call<void>('DELETE', `/faults/${encodeURIComponent(id)}`),
    info: () => call<{ readonly version: string; readonly settings: Members; readonly decisions: Members }>('GET', '/info'),
    /** @returns why the first attempt was not acknowledged; undefined if it was */
    async sendTestDelivery(subscription: string): Promise<string | undefined> {
      const { id } = await call<Schemas['Delivery']>('POST', '/events/raw', { subscription, body: {}, allowInvalid: true });
      for (;;) {
        const { attemptLog } = await call<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${id}`);
        const [first] = attemptLog;
        if (first !== undefined) return first.error ?? (first.status === 204 ? undefined : `the response was ${first.status}`);
        await pause(ATTEMPTS_POLL_MS);
      }
    },
    isIdle: async (subscription: string) => {
      const path = `/deliveries?subscription=${encodeURIComponent(subscription)}&state=pending&limit=1`;
      const pending = await call<readonly unknown[]>('GET', path).catch(ignoreRefusal);
      return pending === undefined || pending.length === 0;
    },
    /** Returns the kit's time, in milliseconds since 1970. */
    now: async () => Date.parse((await call<Schemas['Clock']>('GET', '/clock')).now),
    /** Does not wait for deliveries, because endpoints may never respond. */
    advance: (ms: number) => call<void>('POST', '/clock/advance', { by: Math.ceil(ms), maxWaitMs: 0 }),
    async readTokenEndpoint() {
      const metadata = (await (await fetchWhole(`${url}/auth/.well-known/oauth-authorization-server`)).json()) as {
        token_endpoint: string;
      };
      return metadata.token_endpoint;
    },
  };
}

/** A server's control API. `found`: usable. `locked`: requires a control token, or rejects the given one. `none`: absent. */
export interface FoundControl {
  readonly state: 'found' | 'locked' | 'none';
  /** The targets of a proxy, which has a control API, too. */
  readonly upstream?: Schemas['Upstream'] | undefined;
}

/**
 * Looks for a control API. Sends the control token only to a server that requires one.
 * @param url the server's base URL, without a trailing slash
 */
export async function findControl(url: string, controlToken?: string): Promise<FoundControl> {
  const requestInfo = (headers: Record<string, string>) =>
    fetchWhole(`${url}/_control/info`, { headers, redirect: 'manual' }, { timeoutMs: 5000 }).catch(() => undefined);
  // Other servers may also send a 401 for unknown paths, but not with this realm.
  const isLocked = (answer: Awaited<ReturnType<typeof requestInfo>>) =>
    answer?.status === 401 && answer.headers.get('www-authenticate')?.includes('realm="control"');
  let answer = await requestInfo({});
  if (isLocked(answer) && controlToken !== undefined) answer = await requestInfo({ 'x-control-token': controlToken });
  if (isLocked(answer)) return { state: 'locked' };
  if (answer?.status !== 200) return { state: 'none' };
  const info = (await answer.json().catch(() => undefined)) as Partial<Schemas['Info']> | undefined;
  return typeof info?.version === 'string' && typeof info.world === 'string'
    ? { state: 'found', upstream: info.upstream }
    : { state: 'none' };
}
