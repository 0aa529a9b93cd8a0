import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createControlFailure, type GateFailure } from '../contract/failure.ts';
import type { components } from '../contract/generated/control.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import type { Worlds } from '../control/handler.ts';
import type { KitHooks } from '../running-kit.ts';
import { type Host, openWorld, type RunningWorld } from '../running-world.ts';
import type { Settings } from '../settings.ts';
import { createMemoryRecords, type OpenedRecord, type WorldRecord } from '../store/world-records.ts';
import { FixtureError } from '../world/problem.ts';
import type { Seed } from '../world/seed.ts';
import { describeWorld, readAccess } from './description.ts';
import { createEndedWorlds } from './ended.ts';
import { createIdleTimer } from './idle-timer.ts';
import { beginLife, type WorldLife } from './life.ts';
import { createSelector } from './select.ts';
import { type FoundSource, findSource, readSourceSeed } from './source.ts';

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

const DEFAULT_IDLE_TIMEOUT_MS = 1_800_000;

/** Creates the worlds besides the first one. Each has its own store, clock, keys, journal and deliveries. */
export function createWorlds({ settings, hooks, host, decisions, getFirst, createListener }: WorldsSettings) {
  /** The worlds that this replica has opened, by name. */
  const entries = new Map<string, Entry>();
  const ended = createEndedWorlds();
  const memory = createMemoryRecords();
  const describeRecord = (record: WorldRecord) => describeWorld(record, host.baseUrl(), settings.control);
  const getRecords = () => getFirst().store.worlds ?? memory;
  /** The store of a world with the kit's seed, from which others are copied. */
  let template: { readonly seed: Seed; readonly image: Uint8Array | undefined } | undefined;
  const timer = createIdleTimer(endIdleWorlds, (error) => host.logFailure(error, 'worlds could not be ended'));

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
      timer.schedule(idleTimeoutMs);
      return { ...describeRecord(life.record), ...(await readAccess(life.world)) };
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
      const id = found && (await records.end(name));
      if (id !== undefined) await records.remove(id);
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
  async function close(isClosed: (life: WorldLife) => boolean, closed = [...entries], isEnded = true): Promise<void> {
    const closing = closed.map(async ([name, { opening }]) => {
      const life = await opening.catch(() => {});
      if (!life || !isClosed(life)) return;
      if (entries.get(name)?.life === life) entries.delete(name);
      const requests = await life.close(isEnded);
      if (isEnded) ended.keep(life.record, requests);
    });
    await Promise.all(closing);
  }

  /** Closes the worlds that other replicas have ended. */
  async function synchronize(): Promise<void> {
    // Not those that are opened meanwhile.
    const opened = [...entries];
    const records = await getRecords().list();
    const ids = new Set(records.map(({ id }) => id));
    timer.schedule(Math.min(...records.map(({ leftMs }) => leftMs)));
    await close(({ record }) => !ids.has(record.id), opened);
  }

  async function endIdleWorlds(): Promise<void> {
    for (const { life } of entries.values()) life?.touchIfOpen();
    await Promise.all((await getRecords().endIdle()).map(finish));
    await synchronize();
  }

  const listAll = async () => (await getRecords().list()).map(describeRecord);
  const listNames = async () => (await getRecords().list()).map(({ name }) => name);

  let unsubscribe = () => {};
  return {
    worlds: { create, end, list: listAll, listEnded: ended.list, listEndedRequests: ended.listRequests } satisfies Worlds,

    /** Ends the worlds whose idle timeout has passed, including worlds that earlier processes created. */
    async start(): Promise<void> {
      unsubscribe = getRecords().subscribe(() => void synchronize().catch(timer.handleError));
      await synchronize();
    },

    select: createSelector({ getOpen: (name) => entries.get(name)?.life, open, logFailure: host.logFailure }),

    async close(): Promise<void> {
      timer.stop();
      unsubscribe();
      await close(() => true, [...entries], false);
    },
  };
}

const MISSING_PRIVILEGE =
  "The user of the database may not create schemas, and each world has one. Permit it with GRANT CREATE ON DATABASE, as the database's owner.";
