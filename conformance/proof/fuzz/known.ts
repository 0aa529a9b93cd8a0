import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../src/world/package-files.ts';
import type { FuzzResponse } from './client.ts';
import type { Json, Operation } from './operations.ts';

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const MAX_POOL = 60;
/** For each operation whose response contains a new id: the pool that the id is added to. */
const ID_POOLS: Readonly<Record<string, string>> = {
  createExperienceAssignment: 'assignments',
  createExperienceConnection: 'connections',
  createSubscription: 'subscriptions',
  addFault: 'faults',
  sendRawEvent: 'deliveries',
  listDeliveries: 'deliveries',
};
/** Members of responses whose values are remembered, each in a pool with the name of the member. */
const REMEMBERED = ['cursor', 'accessToken', 'access_token', 'refresh_token', 'traceId'];
/** The client of the demo world that has both a secret and a key. */
const CLIENT = 'acme-either';
const JWK = JSON.parse(readFileSync(packageFile(`fixtures/keys/${CLIENT}.private.jwk.json`), 'utf8')) as { readonly kid: string };
const KEY = createPrivateKey({ key: JWK, format: 'jwk' });

/** The ids, tokens and other values of a kit that requests can use, in pools. */
export class Known {
  /** The whole world of the kit, as JSON. */
  world = '';
  /** The clients of the demo world that have a secret. The first client also has a key. */
  clients: readonly Json[] = [];
  readonly #pools = new Map<string, readonly string[]>();
  readonly #url: string;
  #offsetMs = 0;

  constructor(url: string) {
    this.#url = url;
    // Deliveries must stay on this machine: the first two addresses are of the kit itself, which refuses them; the last one has no server.
    this.#pools.set('destinations', [`${url}/users`, `${url}/_control/health`, 'http://127.0.0.1:1/closed']);
  }

  /** The value of a pool at an index. Index 0 is the newest value. */
  at(pool: string, index: number): string {
    const values = this.#pools.get(pool) ?? [];
    return values[index % values.length] ?? UNKNOWN;
  }

  /** The claims of a valid client assertion. The kit accepts each `jti` only once. */
  assertionClaims(jti: string): object {
    const now = Math.floor((Date.now() + this.#offsetMs) / 1_000);
    const id: string = this.clients[0]?.id;
    return { iss: id, sub: id, aud: `${this.#url}/auth`, jti, iat: now, exp: now + 60 };
  }

  /** Adds the ids, tokens and codes of a response to the pools. */
  learn(operation: Operation | undefined, { status, headers, text }: FuzzResponse): void {
    this.#remember('code', /[?&]code=([\w-]+)/.exec(headers.location ?? '')?.[1]);
    if (text.length > 20_000) return;
    for (const [, name = '', value] of text.matchAll(/"(\w+)":"([^"\\]{1,2000})"/g))
      if (REMEMBERED.includes(name)) this.#remember(name, value);
    const pool = operation && (ID_POOLS[operation.operationId] ?? (operation.method === 'POST' ? operation.collection : undefined));
    if (status < 300) this.#remember(pool, /"(?:id|subscriptionId)":"([^"\\]+)"/.exec(text)?.[1]);
    this.#offsetMs = Number(/"offsetMs":(\d+)/.exec(text)?.[1] ?? this.#offsetMs);
  }

  #remember(pool: string | undefined, value: string | undefined): void {
    if (pool === undefined || value === undefined) return;
    this.#pools.set(pool, [value, ...(this.#pools.get(pool) ?? [])].slice(0, MAX_POOL));
  }

  /** Reads the whole world from the kit. */
  async refresh(): Promise<void> {
    const world = await this.#read('state');
    this.world = JSON.stringify(world);
    for (const [collection, entities] of Object.entries(world))
      if (typeof entities === 'object') this.#pools.set(collection, idsOf(entities));
    const { [CLIENT]: first, ...others } = (world.clients ?? {}) as Json;
    this.clients = [first, ...Object.values(others)].filter((client) => client?.secret && client.redirectUris?.[0]);
    const nativeIds: Json[] = Object.values((world.users ?? {}) as Json).flatMap((user) => user.nativeIds ?? []);
    this.#pools.set(
      'nativeIds',
      nativeIds.map(({ id }) => id),
    );
    this.#pools.set('tokens', Object.values((await this.#read('info')).tokens));
    this.#offsetMs = (await this.#read('clock')).offsetMs;
  }

  async #read(path: string): Promise<Json> {
    const response = await fetch(`${this.#url}/_control/${path}`);
    if (!response.ok) throw new Error(`GET /_control/${path} has the status ${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  }
}

const idsOf = (entities: Json): string[] => Object.entries(entities).map(([alias, { id = alias }]) => id);

/** A client assertion with the given claims, signed with the key of the client. */
export function signed(claims: object): string {
  const input = [{ alg: 'ES256', kid: JWK.kid }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${sign('sha256', Buffer.from(input), { key: KEY, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
