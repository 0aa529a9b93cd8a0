import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { packageFile } from '../../../src/world/package-files.ts';
import type { WireRequest } from './requests.ts';
import type { FuzzResponse } from './send.ts';
import { RAW_JSON } from './values.ts';

/** What is known of the world under test at this moment: what placeholders stand for. */
export interface Known {
  /** Fills in placeholders. @param encode how a value is written where they stand */
  fill(text: string, encode: (value: string) => string): string;
  fillJson(text: string): string;
  /** A client assertion of these claims; anything but claims stays as it is. */
  signed(value: unknown): unknown;
  /** Takes over what an answer says. */
  learn(request: WireRequest, response: FuzzResponse): void;
  /** Asks the kit for everything. */
  refresh(): Promise<void>;
}

interface Entity {
  readonly id?: string;
  readonly secret?: string;
  readonly redirectUris?: readonly string[];
  readonly nativeIds?: readonly { readonly id: string }[];
}
type World = Readonly<Record<string, Readonly<Record<string, Entity>>>>;

const NOTHING = '01900000-0000-7000-8000-000000000000';
const MAX_POOL = 60;
/** The pools of the ids that operations answer with. */
const MADE: Readonly<Record<string, string>> = {
  createExperienceAssignment: 'assignments',
  createExperienceConnection: 'connections',
  createSubscription: 'subscriptions',
  addFault: 'faults',
  sendRawEvent: 'deliveries',
  listDeliveries: 'deliveries',
};
/** The pools of the members that may come in any answer. */
const MEMBERS: Readonly<Record<string, string>> = {
  cursor: 'cursors',
  accessToken: 'minted',
  access_token: 'minted',
  refresh_token: 'refreshTokens',
  traceId: 'traces',
};
/** The client of the demo world that has a secret and a key. */
const CLIENT = 'acme-either';
const JWK = JSON.parse(readFileSync(packageFile(`fixtures/keys/${CLIENT}.private.jwk.json`), 'utf8')) as { readonly kid: string };
const KEY = createPrivateKey({ key: JWK, format: 'jwk' });

export function createKnown(url: string, destinations: readonly string[]): Known {
  const pools = new Map<string, readonly string[]>([
    ['json', RAW_JSON],
    ['destinations', destinations],
    ['issuer', [`${url}/auth`]],
  ]);
  let offsetMs = 0;

  function lookUp(pool: string, index: string): string {
    if (pool === 'seconds') return String(Math.floor((Date.now() + offsetMs) / 1_000) + Number(index));
    const values = pools.get(pool) ?? [];
    return values[Number(index) % values.length] ?? NOTHING;
  }

  /** The newest comes first. */
  const remember = (pool: string, value: string) => pools.set(pool, [value, ...(pools.get(pool) ?? [])].slice(0, MAX_POOL));

  function fill(text: string, encode: (value: string) => string): string {
    return text.replaceAll(/~(\w+)\.(\d+)~/g, (_, pool: string, index: string) => encode(lookUp(pool, index)));
  }

  function fillJson(text: string): string {
    const raw = text.replaceAll(/"~(json|worlds|seconds)\.(\d+)~"/g, (_, pool: string, index: string) => lookUp(pool, index));
    return fill(raw, (value) => JSON.stringify(value).slice(1, -1));
  }

  async function read<T>(path: string): Promise<T> {
    const response = await fetch(`${url}/_control/${path}`);
    if (!response.ok) throw new Error(`GET /_control/${path} has the status ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }

  return {
    fill,
    fillJson,
    signed(value) {
      if (typeof value !== 'object' || value === null) return value;
      const part = (object: unknown) => Buffer.from(fillJson(JSON.stringify(object))).toString('base64url');
      const input = `${part({ alg: 'ES256', kid: JWK.kid })}.${part(value)}`;
      return `${input}.${sign('sha256', Buffer.from(input), { key: KEY, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    },
    learn({ operation }, { status, headers, text }) {
      const location = headers.location ?? '';
      const login = /\/auth\/(interaction|authorize)\/([\w-]+)$/.exec(location);
      if (login) remember(login[1] === 'interaction' ? 'logins' : 'answered', login[2]!);
      const code = /[?&]code=([\w-]+)/.exec(location)?.[1];
      if (code !== undefined) remember('codes', code);
      if (text.length > 20_000) return;
      for (const [, name, value] of text.matchAll(/"(\w+)":"([^"\\]{1,2000})"/g))
        if (Object.hasOwn(MEMBERS, name!)) remember(MEMBERS[name!]!, value!);
      const pool = operation && (MADE[operation.operationId] ?? (operation.method === 'POST' ? operation.collection : undefined));
      const id = /"(?:id|subscriptionId)":"([^"\\]+)"/.exec(text)?.[1];
      if (status < 300 && pool !== undefined && id !== undefined) remember(pool, id);
      offsetMs = Number(/"offsetMs":(\d+)/.exec(text)?.[1] ?? offsetMs);
    },
    async refresh() {
      const world = await read<World>('state');
      const { tokens } = await read<{ tokens: Record<string, string> }>('info');
      offsetMs = (await read<{ offsetMs: number }>('clock')).offsetMs;
      const { [CLIENT]: first, ...others } = world.clients ?? {};
      const all = [...(first ? [first] : []), ...Object.values(others)];
      const clients = all.flatMap(({ id = '', secret, redirectUris: [uri] = [] }) => (secret && uri ? [{ id, secret, uri }] : []));
      const found: Record<string, readonly string[]> = {
        worlds: [JSON.stringify(world)],
        nativeIds: Object.values(world.users ?? {}).flatMap(({ nativeIds = [] }) => nativeIds.map(({ id }) => id)),
        clientIds: clients.map(({ id }) => id),
        secrets: clients.map(({ secret }) => secret),
        redirectUris: clients.map(({ uri }) => uri),
      };
      for (const [collection, entities] of Object.entries(world)) {
        if (typeof entities === 'object') found[collection] = Object.entries(entities).map(([alias, { id = alias }]) => id);
      }
      found.tokens = Object.values(tokens);
      for (const [pool, values] of Object.entries(found)) pools.set(pool, values);
    },
  };
}
