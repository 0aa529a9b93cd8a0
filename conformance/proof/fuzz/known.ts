import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../src/world/package-files.ts';
import type { FuzzResponse, WireRequest } from './client.ts';
import { RAW_JSON } from './odd.ts';
import type { Json } from './operations.ts';

/** The values that placeholders stand for at this moment. */
export type Known = ReturnType<typeof createKnown>;

const UNKNOWN = '01900000-0000-7000-8000-000000000000';
const MAX_POOL = 60;
/** The pools of the ids in the responses of these operations. */
const ID_POOLS: Readonly<Record<string, string>> = {
  createExperienceAssignment: 'assignments',
  createExperienceConnection: 'connections',
  createSubscription: 'subscriptions',
  addFault: 'faults',
  sendRawEvent: 'deliveries',
  listDeliveries: 'deliveries',
};
/** The pools of these members of any response. */
const MEMBER_POOLS: Readonly<Record<string, string>> = {
  cursor: 'cursors',
  accessToken: 'minted',
  access_token: 'minted',
  refresh_token: 'refreshTokens',
  traceId: 'traces',
};
/** A client of the demo world with a secret and a key. */
const CLIENT = 'acme-either';
const JWK = JSON.parse(readFileSync(packageFile(`fixtures/keys/${CLIENT}.private.jwk.json`), 'utf8')) as { readonly kid: string };
const KEY = createPrivateKey({ key: JWK, format: 'jwk' });

export function createKnown(url: string, destinations: readonly string[]) {
  const pools = new Map<string, readonly string[]>([
    ['json', RAW_JSON],
    ['destinations', destinations],
    ['issuer', [`${url}/auth`]],
  ]);
  let offsetMs = 0;

  function lookUp(pool: string, index: string): string {
    if (pool === 'seconds') return String(Math.floor((Date.now() + offsetMs) / 1_000) + Number(index));
    const values = pools.get(pool) ?? [];
    return values[Number(index) % values.length] ?? UNKNOWN;
  }

  /** The newest comes first. */
  const remember = (pool: string, value: string) => pools.set(pool, [value, ...(pools.get(pool) ?? [])].slice(0, MAX_POOL));

  /** Fills in placeholders. @param encode how a value is written there */
  function fill(text: string, encode: (value: string) => string): string {
    return text.replaceAll(/~(\w+)\.(\d+)~/g, (_, pool: string, index: string) => encode(lookUp(pool, index)));
  }

  function fillJson(text: string): string {
    const raw = text.replaceAll(/"~(json|worlds|seconds)\.(\d+)~"/g, (_, pool: string, index: string) => lookUp(pool, index));
    return fill(raw, (value) => JSON.stringify(value).slice(1, -1));
  }

  async function read(path: string): Promise<Json> {
    const response = await fetch(`${url}/_control/${path}`);
    if (!response.ok) throw new Error(`GET /_control/${path} has the status ${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  }

  return {
    fill,
    fillJson,
    /** Signs claims as a client assertion. Anything else stays as it is. */
    signed(value: unknown): unknown {
      if (typeof value !== 'object' || value === null) return value;
      const part = (object: unknown) => Buffer.from(fillJson(JSON.stringify(object))).toString('base64url');
      const input = `${part({ alg: 'ES256', kid: JWK.kid })}.${part(value)}`;
      return `${input}.${sign('sha256', Buffer.from(input), { key: KEY, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    },
    /** Remembers the ids, tokens and codes of a response. */
    learn({ operation }: WireRequest, { status, headers, text }: FuzzResponse): void {
      const code = /[?&]code=([\w-]+)/.exec(headers.location ?? '')?.[1];
      if (code !== undefined) remember('codes', code);
      if (text.length > 20_000) return;
      for (const [, name = '', value = ''] of text.matchAll(/"(\w+)":"([^"\\]{1,2000})"/g))
        if (Object.hasOwn(MEMBER_POOLS, name)) remember(MEMBER_POOLS[name]!, value);
      const pool = operation && (ID_POOLS[operation.operationId] ?? (operation.method === 'POST' ? operation.collection : undefined));
      const id = /"(?:id|subscriptionId)":"([^"\\]+)"/.exec(text)?.[1];
      if (status < 300 && pool !== undefined && id !== undefined) remember(pool, id);
      offsetMs = Number(/"offsetMs":(\d+)/.exec(text)?.[1] ?? offsetMs);
    },
    /** Reads the whole world from the kit. */
    async refresh(): Promise<void> {
      const world = await read('state');
      for (const [collection, entities] of Object.entries(world))
        if (typeof entities === 'object')
          pools.set(
            collection,
            Object.entries(entities as Json).map(([alias, { id = alias }]) => id),
          );
      const { [CLIENT]: first, ...others } = (world.clients ?? {}) as Json;
      const clients = [first, ...Object.values(others)].filter((client) => client?.secret && client.redirectUris?.[0]);
      pools.set(
        'clientIds',
        clients.map(({ id }) => id),
      );
      pools.set(
        'secrets',
        clients.map(({ secret }) => secret),
      );
      pools.set(
        'redirectUris',
        clients.map(({ redirectUris }) => redirectUris[0]),
      );
      pools.set(
        'nativeIds',
        Object.values((world.users ?? {}) as Json).flatMap(({ nativeIds = [] }) => nativeIds.map(({ id }: Json) => id)),
      );
      pools.set('worlds', [JSON.stringify(world)]);
      pools.set('tokens', Object.values((await read('info')).tokens));
      offsetMs = (await read('clock')).offsetMs;
    },
  };
}
