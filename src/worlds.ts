import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { sql } from 'kysely';
import { createControlFailure, createGateFailure, type GateFailure } from './contract/failure.ts';
import type { components } from './contract/generated/control.ts';
import type { Decisions } from './contract/generated/decisions.ts';
import type { Worlds } from './control/handler.ts';
import { createErrorHandler } from './http/errors.ts';
import { sendFailure } from './http/problem.ts';
import type { KitHooks } from './running-kit.ts';
import { type Host, openWorld, type RunningWorld } from './running-world.ts';
import type { Settings } from './settings.ts';
import { COLLECTION_TABLES } from './store/counts.ts';
import type { Store } from './store/store.ts';
import { createMemoryRecords, type OpenedRecord, type WorldRecord } from './store/world-records.ts';
import { readCollection } from './world/dump.ts';
import { COLLECTIONS } from './world/entities.ts';
import { FixtureError } from './world/problem.ts';
import type { Seed } from './world/seed.ts';
import { isIdentified } from './world/world.ts';
import { beginLife, type WorldLife } from './world-life.ts';
import { type FoundSource, findSource, readSourceSeed } from './world-source.ts';

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
  readonly opening: Promise<WorldLife | undefined>;
  /** Undefined while it is being opened. */
  life?: WorldLife | undefined;
}

/** A request to a world, or for the metadata of its authorization server (RFC 8414, section 3.1). */
const WORLD_PATH = /^(\/\.well-known\/oauth-authorization-server)?\/w\/([^/?#]*)(?=[/?#]|$)/;
const NAME = /^[a-z0-9-]{1,63}$/;
const DEFAULT_IDLE_TIMEOUT_MS = 1_800_000;
/** How soon worlds are ended at the earliest, and after an error, in milliseconds. */
const MIN_DELAY_MS = 100;
const ERROR_DELAY_MS = 60_000;

/** Creates the worlds besides the first one. Each has its own store, clock, keys, journal and deliveries. */
export function createWorlds({ settings, hooks, host, decisions, getFirst, createListener }: WorldsSettings) {
  /** The worlds that this replica has opened, by name. */
  const entries = new Map<string, Entry>();
  const memory = createMemoryRecords();
  const getRecords = () => getFirst().store.worlds ?? memory;
  const handleError = createErrorHandler((error, traceId) => host.logFailure(error, 'a world could not be opened', traceId));
  /** The store of a world with the kit's seed, from which others are copied. */
  let template: { readonly seed: Seed; readonly image: Uint8Array | undefined } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let timerDueAt = Number.POSITIVE_INFINITY;

  async function create(request: Schemas['WorldRequest']): Promise<Schemas['CreatedWorld'] | GateFailure> {
    const { name = `world-${randomBytes(4).toString('hex')}`, from = 'seed', label, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = request;
    const { maxWorlds } = settings;
    const records = getRecords();
    try {
      const found = await findSource(request, { first: getFirst(), decisions, open, listNames });
      if ('reason' in found) return found;
      const { source, world, fill } = found;
      const refusal =
        (await records.refuse(name, maxWorlds)) ??
        (await records.create({ name, from, label, idleTimeoutMs, source, world }, maxWorlds, fill));
      if (refusal === 'taken') return createControlFailure('conflict', `There is already a world "${name}".`);
      if (refusal === 'full')
        return createControlFailure('too-many-worlds', `The kit already has ${maxWorlds} worlds. Delete one, or set --max-worlds.`);
      if (refusal) return createControlFailure('conflict', MISSING_PRIVILEGE);
      const life = await open(name, found);
      if (!life) return createControlFailure('conflict', `The world "${name}" was deleted before it could be used.`);
      scheduleEnd(idleTimeoutMs);
      return await describe(life);
    } catch (error) {
      if (error instanceof FixtureError) return createControlFailure('invalid', error.message);
      throw error;
    }
  }

  /** Opens a world of this or another replica. */
  async function open(name: string, found?: FoundSource): Promise<WorldLife | undefined> {
    const known = entries.get(name);
    if (known) return known.opening;
    const entry: Entry = { opening: openNow(name, found) };
    entries.set(name, entry);
    try {
      entry.life = await entry.opening;
      return entry.life;
    } finally {
      if (!entry.life) entries.delete(name);
    }
  }

  async function openNow(name: string, found?: FoundSource): Promise<WorldLife | undefined> {
    const records = getRecords();
    const opened = await records.open(name);
    if (!opened) return undefined;
    const ending = new AbortController();
    try {
      const world = await run(opened, ending, found);
      return beginLife({ ...opened, world, listener: createListener(world), ending, records });
    } catch (error) {
      await records.release(opened.record.id);
      if (found) await end(name);
      throw error;
    }
  }

  async function run({ record, source, database }: OpenedRecord, ending: AbortController, found?: FoundSource): Promise<RunningWorld> {
    const seed = found?.seed ?? (await readSourceSeed(source.seed, getFirst()));
    const prefix = `/w/${record.name}`;
    const isTemplate = found?.isSeed === true && seed === getFirst().getSeed();
    const world = await openWorld({
      ...{ hooks, seed, decisions: source.decisions as Decisions, opened: database, fill: found?.fill, worlds: undefined },
      image: isTemplate && seed === template?.seed ? template.image : undefined,
      // What is in the file belongs to the first world.
      settings: { ...settings, data: undefined },
      host: {
        ...host,
        prefix,
        baseUrl: () => `${host.baseUrl()}${prefix}`,
        localUrl: () => `${host.localUrl()}${prefix}`,
        publicUrl: host.publicUrl && `${host.publicUrl}${prefix}`,
        draining: AbortSignal.any([host.draining, ending.signal]),
        closing: AbortSignal.any([host.closing, ending.signal]),
      },
    });
    if (isTemplate && seed !== template?.seed) template = { seed, image: world.store.serialize?.() };
    await world.startDeliveries();
    return world;
  }

  async function end(name: string): Promise<boolean> {
    const id = await getRecords().end(name);
    if (id !== undefined) await finish(id);
    return id !== undefined;
  }

  async function finish(id: string): Promise<void> {
    await close((life) => life.record.id === id);
    await getRecords().remove(id);
  }

  /** Closes worlds at this replica only. */
  async function close(isClosed: (life: WorldLife) => boolean, closed = [...entries]): Promise<void> {
    const closing = closed.map(async ([name, { opening }]) => {
      const life = await opening.catch(() => undefined);
      if (!life || !isClosed(life)) return;
      if (entries.get(name)?.life === life) entries.delete(name);
      await life.close();
    });
    await Promise.all(closing);
  }

  /** Closes the worlds that other replicas have ended. */
  async function synchronize(): Promise<void> {
    // Not those that are opened meanwhile.
    const opened = [...entries];
    const records = await getRecords().list();
    const ids = new Set(records.map(({ id }) => id));
    scheduleEnd(Math.min(...records.map(({ leftMs }) => leftMs)));
    await close(({ record }) => !ids.has(record.id), opened);
  }

  const synchronizeLater = () => void synchronize().catch(handleLater);

  function handleLater(error: unknown): void {
    host.logFailure(error, 'worlds could not be ended');
    scheduleEnd(ERROR_DELAY_MS);
  }

  /** Sets the timer for the world that is the next to be unused for too long. */
  function scheduleEnd(leftMs: number): void {
    const dueAt = performance.now() + leftMs;
    if (host.closing.aborted || dueAt >= timerDueAt) return;
    clearTimeout(timer);
    timerDueAt = dueAt;
    timer = setTimeout(
      () => {
        timerDueAt = Number.POSITIVE_INFINITY;
        endIdleWorlds().catch(handleLater);
      },
      Math.max(leftMs, MIN_DELAY_MS),
    ).unref();
  }

  async function endIdleWorlds(): Promise<void> {
    for (const { life } of entries.values()) life?.touchIfOpen();
    await Promise.all((await getRecords().endIdle()).map(finish));
    await synchronize();
  }

  const list = ({ name, from, label, world, createdAt, usedAt, idleTimeoutMs }: WorldRecord): Schemas['RunningWorld'] => {
    const path = `/w/${name}`;
    const url = `${host.baseUrl()}${path}`;
    return {
      ...{ name, from, ...(label !== undefined && { label }), world, path, url, authUrl: `${url}/auth` },
      ...(settings.control && { console: `${url}/_console/` }),
      createdAt: new Date(createdAt).toISOString(),
      usedAt: new Date(usedAt).toISOString(),
      endsAt: new Date(usedAt + idleTimeoutMs).toISOString(),
    };
  };
  const listAll = async () => (await getRecords().list()).map(list);
  const listNames = async () => (await getRecords().list()).map(({ name }) => name);

  async function describe({ record, world }: WorldLife): Promise<Schemas['CreatedWorld']> {
    const { store, createReadyMadeTokens } = world;
    const [tokens, clients, ids] = [await createReadyMadeTokens(), await readCollection(store.db, 'clients'), await readIds(store)];
    const credentials = clients.map(({ alias, id, secret, redirectUris = [] }) => [
      alias,
      { id, ...(secret !== undefined && { secret }), redirectUris },
    ]);
    return { ...list(record), tokens: { ...tokens }, clients: Object.fromEntries(credentials), ids };
  }

  /** Returns the listener of the world that a path names, or opens the world first. */
  function findListener(name: string, answer: (life: WorldLife) => RequestListener): RequestListener {
    const known = entries.get(name)?.life;
    if (known) return answer(known);
    return async (req, res) => {
      try {
        const life = NAME.test(name) ? await open(name) : undefined;
        const listener = life ? answer(life) : refuseUnknown(name);
        listener(req, res);
      } catch (error) {
        handleError(error, req as never, res as never, () => {});
      }
    };
  }

  let unsubscribe = () => {};
  return {
    worlds: { create, end, list: listAll } satisfies Worlds,

    /** Ends the worlds that nobody uses any more, also those of earlier processes. */
    async start(): Promise<void> {
      unsubscribe = getRecords().subscribe(synchronizeLater);
      await synchronize();
    },

    /** Returns the listener of the world that the path names, and removes the world's prefix from the path. */
    select(req: IncomingMessage): RequestListener | undefined {
      const { url = '/' } = req;
      if (!url.startsWith('/w/') && !url.startsWith('/.well-known/oauth-authorization-server/w/')) return undefined;
      const [all, document = '', name = ''] = WORLD_PATH.exec(url) ?? [];
      const rest = url.slice(all!.length);
      return findListener(name, ({ listener }) => {
        // The world's page has relative links.
        if (!rest.startsWith('/')) return redirectTo(`${name}/${rest}`);
        req.url = document + rest;
        return listener;
      });
    },

    async close(): Promise<void> {
      clearTimeout(timer);
      unsubscribe();
      await close(() => true);
    },
  };
}

const MISSING_PRIVILEGE =
  "The user of the database may not create schemas, and each world has one. Permit it with GRANT CREATE ON DATABASE, as the database's owner.";

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
