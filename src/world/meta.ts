import type { Executor } from '../store/engine.ts';
import { readMeta, readWorldTokens, type WorldToken } from '../store/meta.ts';
import type { Tables } from '../store/schema.ts';
import type { Steps } from './problem.ts';
import { type Collection, DEFAULT_EPOCH, DEFAULT_SCOPES, type World } from './world.ts';

export const META_KEYS = ['world', 'description', 'epoch', 'tokens', 'seeded'] as const;

type ResolveId = (collection: Collection, name: string, steps: Steps) => string | undefined;

export function toMetaRows({ world, description, tokens }: World, epoch: string, resolveId: ResolveId): Tables['meta'][] {
  const values: Record<(typeof META_KEYS)[number], string | undefined> = {
    world,
    description,
    epoch,
    tokens: JSON.stringify(resolveTokens(tokens, resolveId)),
    seeded: 'true',
  };
  return META_KEYS.flatMap((key) => (values[key] === undefined ? [] : [{ key, value: values[key] }]));
}

function resolveTokens(tokens: World['tokens'] = {}, resolveId: ResolveId): Record<string, WorldToken> {
  const kept: [string, WorldToken][] = [];
  for (const [name, { client, principal, scopes = [...DEFAULT_SCOPES] }] of Object.entries(tokens)) {
    const clientId = resolveId('clients', client, ['tokens', name, 'client']);
    const principalId = principal === undefined ? undefined : resolveId('principals', principal, ['tokens', name, 'principal']);
    if (clientId !== undefined) kept.push([name, { clientId, ...(principalId !== undefined && { principalId }), scopes }]);
  }
  return Object.fromEntries(kept);
}

type ReadyTokens = NonNullable<World['tokens']>;

/** If no world is stored, the name is `empty`. */
export async function dumpMeta(db: Executor): Promise<Pick<World, 'world' | 'description' | 'epoch'> & { tokens: ReadyTokens }> {
  const values = await readMeta(db);
  const description = values.get('description');
  const kept = await readWorldTokens(db, values);
  const clients = await readAliases(db, 'clients');
  const principals = await readAliases(db, 'principals');
  const tokens = Object.entries(kept).map(([name, { clientId, principalId, scopes }]): [string, ReadyTokens[string]] => [
    name,
    { client: clients.get(clientId)!, ...(principalId !== undefined && { principal: principals.get(principalId)! }), scopes: [...scopes] },
  ]);
  return {
    world: values.get('world') ?? 'empty',
    ...(description !== undefined && { description }),
    epoch: new Date(values.get('epoch') ?? DEFAULT_EPOCH).toISOString(),
    tokens: Object.fromEntries(tokens),
  };
}

async function readAliases(db: Executor, table: 'clients' | 'principals'): Promise<Map<string, string>> {
  const rows = await db.selectFrom(table).select(['id', 'alias']).execute();
  return new Map(rows.map(({ id, alias }) => [id, alias]));
}
