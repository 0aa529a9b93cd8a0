import { createPrivateKey, sign } from 'node:crypto';
import { readPrivateJwk } from '../../../src/testing/oauth-flow.ts';
import type { Json } from '../../../tools/scripts/generate/documents.ts';
import type { FuzzResponse } from './client.ts';
import type { Operation } from './operations.ts';

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';
const MAX_POOL = 60;
const ID_POOLS: Readonly<Record<string, string>> = {
  createExperienceAssignment: 'assignments',
  createExperienceConnection: 'connections',
  createSubscription: 'subscriptions',
  addFault: 'faults',
  sendRawEvent: 'deliveries',
  listDeliveries: 'deliveries',
};
/** The names of response members, and of the pools that store their values. */
const LEARNED_MEMBERS = ['cursor', 'accessToken', 'access_token', 'refresh_token', 'traceId'];
/** The demo world's client with both a secret and a key. */
const CLIENT_ID = 'acme-either';
const CLIENT_KEY = createPrivateKey({ key: readPrivateJwk(CLIENT_ID), format: 'jwk' });

/** Pools of a kit's ids, tokens and other values, for use in generated requests. */
export class KnownValues {
  world = '';
  /** The demo world's clients with a secret. The first client also has a key. */
  clients: readonly Json[] = [];
  readonly #pools = new Map<string, readonly string[]>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
    // These deliveries cannot arrive: the kit does not deliver to its own address, and no server listens on port 1.
    this.#pools.set('destinations', [`${url}/users`, `${url}/_control/health`, 'http://127.0.0.1:1/closed']);
  }

  /** Returns the value at an index of a pool, in which the newest value has index 0. */
  getValue(pool: string, index: number): string {
    const values = this.#pools.get(pool) ?? [];
    return values[index % values.length] ?? UNKNOWN_ID;
  }

  /** The kit accepts each `jti` only once. @param changes claims to add or replace */
  createAssertion(jti: string, changes: object): string {
    const now = Math.floor(Date.now() / 1_000);
    const id: string = this.clients[0]?.id;
    const claims = { iss: id, sub: id, aud: `${this.#url}/auth`, jti, iat: now, exp: now + 60, ...changes };
    const input = [{ alg: 'ES256', kid: `demo-${CLIENT_ID}` }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${input}.${sign('sha256', Buffer.from(input), { key: CLIENT_KEY, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
  }

  collectValues(operation: Operation | undefined, { status, headers, text }: FuzzResponse): void {
    this.#remember('code', /[?&]code=([\w-]+)/.exec(headers.location ?? '')?.[1]);
    if (text.length > 20_000) return;
    for (const [, name = '', value] of text.matchAll(/"(\w+)":"([^"\\]{1,2000})"/g))
      if (LEARNED_MEMBERS.includes(name)) this.#remember(name, value);
    const pool = operation && (ID_POOLS[operation.operationId] ?? (operation.method === 'POST' ? operation.collection : undefined));
    if (status < 300) this.#remember(pool, /"(?:id|subscriptionId)":"([^"\\]+)"/.exec(text)?.[1]);
  }

  #remember(pool: string | undefined, value: string | undefined): void {
    if (pool === undefined || value === undefined) return;
    this.#pools.set(pool, [value, ...(this.#pools.get(pool) ?? [])].slice(0, MAX_POOL));
  }

  async refresh(): Promise<void> {
    const world = await this.#read('state');
    this.world = JSON.stringify(world);
    for (const [collection, entities] of Object.entries(world))
      if (typeof entities === 'object') this.#pools.set(collection, collectIds(entities));
    const { [CLIENT_ID]: first, ...others } = (world.clients ?? {}) as Json;
    this.clients = [first, ...Object.values(others)].filter((client) => client?.secret && client.redirectUris?.[0]);
    const nativeIds: Json[] = Object.values((world.users ?? {}) as Json).flatMap((user) => user.nativeIds ?? []);
    const ids = nativeIds.map(({ id }) => id);
    this.#pools.set('nativeIds', ids);
    this.#pools.set('tokens', Object.values((await this.#read('info')).tokens));
  }

  async #read(path: string): Promise<Json> {
    const response = await fetch(`${this.#url}/_control/${path}`);
    if (!response.ok) throw new Error(`GET /_control/${path} returned the status ${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  }
}

const collectIds = (entities: Json): string[] => Object.entries(entities).map(([alias, { id = alias }]) => id);
