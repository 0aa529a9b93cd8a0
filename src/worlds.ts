import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { didYouMean } from './contract/did-you-mean.ts';
import { createControlFailure, createGateFailure, type GateFailure } from './contract/failure.ts';
import type { components } from './contract/generated/control.ts';
import type { Decisions } from './contract/generated/decisions.ts';
import type { Worlds } from './control/handler.ts';
import { sendFailure } from './http/problem.ts';
import type { KitHooks } from './running-kit.ts';
import { type Host, openWorld, type RunningWorld } from './running-world.ts';
import type { Settings } from './settings.ts';
import { COLLECTION_TABLES } from './store/counts.ts';
import type { Store } from './store/store.ts';
import { readState, type StateRows } from './store/world-tables.ts';
import { validateDecisions } from './world/decisions-file.ts';
import { readCollection } from './world/dump.ts';
import { COLLECTIONS } from './world/entities.ts';
import { FixtureError } from './world/problem.ts';
import { createEmptySeed, readSeed, type Seed } from './world/seed.ts';
import { isIdentified } from './world/world.ts';

type Schemas = components['schemas'];

interface WorldsSettings {
  readonly settings: Settings;
  readonly hooks: KitHooks;
  readonly host: Host;
  readonly decisions: Decisions;
  /** The first world. */
  readonly getFirst: () => RunningWorld;
  /** Returns a world's app. */
  readonly createListener: (world: RunningWorld) => RequestListener;
}

interface Entry {
  readonly name: string;
  readonly from: string;
  readonly label: string | undefined;
  /** Wall time, in milliseconds. */
  readonly createdAt: number;
  readonly idleTimeoutMs: number;
  /** The path of the base URL. */
  readonly prefix: string;
  readonly url: () => string;
  readonly world: RunningWorld;
  readonly listener: RequestListener;
  readonly ending: AbortController;
  usedAt: number;
  /** The responses that have not ended. */
  readonly open: Set<ServerResponse>;
}

/** A request to a world, or for the metadata of its authorization server (RFC 8414, section 3.1). */
const WORLD_PATH = /^(\/\.well-known\/oauth-authorization-server)?\/w\/([^/?#]*)(?=[/?#]|$)/;
const DEFAULT_IDLE_TIMEOUT_MS = 1_800_000;
/** How long the end of a world waits for its requests, in milliseconds. */
const GRACE_MS = 5000;

/** Creates the directory of the worlds besides the first one. Each has its own store in memory, clock, keys, journal and deliveries. */
export function createWorlds({ settings, hooks, host, decisions, getFirst, createListener }: WorldsSettings) {
  const entries = new Map<string, Entry>();
  /** The names of worlds that are being created. */
  const reserved = new Set<string>();
  /** The store of a world with the kit's seed, from which others are copied. */
  let template: { readonly seed: Seed; readonly image: Uint8Array | undefined } | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function create(request: Schemas['WorldRequest']): Promise<Schemas['CreatedWorld'] | GateFailure> {
    const { name = `world-${randomBytes(4).toString('hex')}`, from = 'seed' } = request;
    if (settings.database !== undefined)
      return createControlFailure('conflict', 'A kit with --database has one world, because other replicas would not know a second one.');
    if (entries.has(name) || reserved.has(name)) return createControlFailure('conflict', `There is already a world "${name}".`);
    if (entries.size + reserved.size >= settings.maxWorlds)
      return createControlFailure('too-many-worlds', `The kit already has ${settings.maxWorlds} worlds. Delete one, or set --max-worlds.`);
    reserved.add(name);
    try {
      const source = await findSource(from, request);
      if ('reason' in source) return source;
      const entry = await open(name, from, source, request);
      entries.set(name, entry);
      scheduleEnd();
      return await describe(entry);
    } catch (error) {
      if (error instanceof FixtureError) return createControlFailure('invalid', error.message);
      throw error;
    } finally {
      reserved.delete(name);
    }
  }

  interface Source {
    readonly seed: Seed;
    readonly decisions: Decisions;
    readonly rows?: StateRows;
  }

  async function findSource(from: string, { fixtures, decisions: given = {} }: Schemas['WorldRequest']): Promise<Source | GateFailure> {
    const own = validateDecisions(given as Parameters<typeof validateDecisions>[0], 'decisions');
    const all = { ...decisions, ...own };
    if (fixtures !== undefined) return { seed: await readSeed({ fixtures: fixtures as never }), decisions: all };
    const seed = getFirst().getSeed();
    if (from === 'seed') return { seed, decisions: all };
    if (from === 'empty') return { seed: createEmptySeed(), decisions: all };
    const copied = entries.get(from)?.world;
    if (copied) return { seed: copied.getSeed(), decisions: { ...copied.decisions, ...own }, rows: await copied.store.read(readState) };
    const { db } = getFirst().store;
    const snapshot = await db.selectFrom('snapshots').select('content').where('name', '=', from).executeTakeFirst();
    if (snapshot) return { seed, decisions: all, rows: JSON.parse(snapshot.content) as StateRows };
    const names = (await db.selectFrom('snapshots').select('name').execute()).map((each) => each.name);
    const message = `There is no world and no snapshot "${from}".${didYouMean(from, ['seed', 'empty', ...entries.keys(), ...names])}`;
    return createControlFailure('invalid', message, [{ pointer: '/from', message }]);
  }

  async function open(
    name: string,
    from: string,
    { rows, ...source }: Source,
    { label, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS }: Schemas['WorldRequest'],
  ) {
    const prefix = `/w/${name}`;
    const ending = new AbortController();
    const url = () => `${host.baseUrl()}${prefix}`;
    const world = await openWorld({
      ...source,
      ...(source.seed === template?.seed && { image: template.image }),
      // What is in the file belongs to the first world.
      settings: { ...settings, data: undefined },
      hooks,
      host: {
        ...host,
        prefix,
        baseUrl: url,
        localUrl: () => `${host.localUrl()}${prefix}`,
        publicUrl: host.publicUrl && `${host.publicUrl}${prefix}`,
        draining: AbortSignal.any([host.draining, ending.signal]),
        closing: AbortSignal.any([host.closing, ending.signal]),
      },
      worlds: undefined,
    });
    if (source.seed === getFirst().getSeed() && source.seed !== template?.seed)
      template = { seed: source.seed, image: world.store.serialize?.() };
    if (rows) await world.restore(rows);
    await world.startDeliveries();
    const now = Date.now();
    return {
      ...{ name, from, label, prefix, url, world, ending, idleTimeoutMs },
      createdAt: now,
      usedAt: now,
      listener: createListener(world),
      open: new Set<ServerResponse>(),
    };
  }

  /** Sets the timer for the world that is the next to be unused for too long. */
  function scheduleEnd(): void {
    clearTimeout(timer);
    timer = undefined;
    const dueAt = Math.min(...[...entries.values()].map(({ usedAt, idleTimeoutMs }) => usedAt + idleTimeoutMs));
    if (!Number.isFinite(dueAt)) return;
    timer = setTimeout(endIdleWorlds, Math.max(dueAt - Date.now(), 100)).unref();
  }

  function endIdleWorlds(): void {
    for (const entry of entries.values()) {
      if (entry.open.size > 0) entry.usedAt = Date.now();
      else if (Date.now() >= entry.usedAt + entry.idleTimeoutMs)
        end(entry.name).catch((error: unknown) => host.logFailure(error, 'a world could not be ended'));
    }
    scheduleEnd();
  }

  async function end(name: string): Promise<boolean> {
    const entry = entries.get(name);
    if (!entry) return false;
    entries.delete(name);
    scheduleEnd();
    await entry.world.stopChecks();
    entry.ending.abort();
    const deadline = setTimeout(() => {
      for (const res of entry.open) res.destroy();
    }, GRACE_MS);
    await Promise.all([...entry.open].map((res) => new Promise((resolve) => res.once('close', resolve))));
    clearTimeout(deadline);
    await entry.world.close();
    return true;
  }

  const list = ({ name, from, label, createdAt, usedAt, idleTimeoutMs, prefix, url, world }: Entry): Schemas['RunningWorld'] => ({
    ...{ name, from, ...(label !== undefined && { label }), world: world.name(), path: prefix, url: url(), authUrl: `${url()}/auth` },
    ...(settings.control && { console: `${url()}/_console/` }),
    createdAt: new Date(createdAt).toISOString(),
    usedAt: new Date(usedAt).toISOString(),
    endsAt: new Date(usedAt + idleTimeoutMs).toISOString(),
  });

  async function describe(entry: Entry): Promise<Schemas['CreatedWorld']> {
    const { store, createReadyMadeTokens } = entry.world;
    const [tokens, clients, ids] = [await createReadyMadeTokens(), await readCollection(store.db, 'clients'), await readIds(store)];
    const credentials = clients.map(({ alias, id, secret, redirectUris = [] }) => [
      alias,
      { id, ...(secret !== undefined && { secret }), redirectUris },
    ]);
    return { ...list(entry), tokens: { ...tokens }, clients: Object.fromEntries(credentials), ids };
  }

  return {
    worlds: { create, end, list: () => [...entries.values()].map(list) } satisfies Worlds,

    /** Returns the listener of the world that the path names, and removes the world's prefix from the path. */
    select(req: IncomingMessage, res: ServerResponse): RequestListener | undefined {
      const { url = '/' } = req;
      if (!url.startsWith('/w/') && !url.startsWith('/.well-known/oauth-authorization-server/w/')) return undefined;
      const [all, document = '', name = ''] = WORLD_PATH.exec(url) ?? [];
      const entry = entries.get(name);
      if (!entry) return refuseUnknown(name);
      const rest = url.slice(all!.length);
      // The world's page has relative links.
      if (!rest.startsWith('/')) return redirectTo(`${name}/${rest}`);
      req.url = document + rest;
      entry.usedAt = Date.now();
      entry.open.add(res);
      res.once('close', () => {
        entry.open.delete(res);
        entry.usedAt = Date.now();
      });
      return entry.listener;
    },

    async close(): Promise<void> {
      await Promise.all([...entries.keys()].map(end));
    },
  };
}

const refuseUnknown =
  (name: string): RequestListener =>
  (_, res) =>
    void sendFailure(
      res,
      createGateFailure('http.unknown-route', `There is no world ${JSON.stringify(name)}: it was never created, or it has ended.`),
    );

const redirectTo =
  (location: string): RequestListener =>
  (_, res) =>
    void res.writeHead(308, { Location: location }).end();

/** Returns the ids of the entities that have an alias. */
async function readIds({ db }: Store): Promise<Record<string, Record<string, string>>> {
  const ids: Record<string, Record<string, string>> = {};
  for (const collection of COLLECTIONS.filter(isIdentified)) {
    const table = sql.table(COLLECTION_TABLES[collection]);
    const { rows } = await sql<{ alias: string; id: string }>`select alias, id from ${table} where alias <> id order by alias`.execute(db);
    ids[collection] = Object.fromEntries(rows.map(({ alias, id }) => [alias, id]));
  }
  return ids;
}
