import { createDocumentRoutes } from './api/documents.ts';
import { createServiceRoutes } from './api/routes.ts';
import { createCheckRuns } from './check-runs.ts';
import { type Clock, createClock } from './clock/clock.ts';
import { createFingerprint } from './clock/fingerprint.ts';
import { createIds, type Ids } from './clock/ids.ts';
import type { Decisions } from './contract/generated/decisions.ts';
import type { ControlDeps, Worlds } from './control/handler.ts';
import { createMetrics } from './control/metrics.ts';
import { createLoader } from './control/reset.ts';
import { createControlRoutes } from './control/routes.ts';
import { createOutbox } from './events/outbox.ts';
import { createRelay } from './events/relay.ts';
import type { AppParts } from './http/app.ts';
import { createFaults } from './http/faults.ts';
import type { Log } from './http/log.ts';
import { createOriginGuard } from './http/origin-guard.ts';
import { createPipeline } from './http/pipeline.ts';
import { sendProblem } from './http/problem.ts';
import { getTraceId } from './http/trace.ts';
import type { JournalEntry } from './journal/entry.ts';
import { openJournal } from './journal/open-journal.ts';
import { createRecorder, type Recorder } from './journal/recorder.ts';
import { createCurrentWorld } from './oauth/current-world.ts';
import { createAuthorizationRoutes } from './oauth/server/routes.ts';
import { observeLookups } from './observed-decisions.ts';
import { createReportReader } from './report-reader.ts';
import type { Kit, KitHooks } from './running-kit.ts';
import { openLaggingLists } from './service/lagging-lists.ts';
import { createWorldState, markAsLoaded } from './service/world-state.ts';
import { getPublicSettings, type Settings } from './settings.ts';
import type { OpenDatabase } from './store/engine.ts';
import { openStore, type Store } from './store/store.ts';
import type { Fill } from './store/world-records.ts';
import { version } from './version.ts';
import { isLargeWorld, seedWorld } from './world/load.ts';
import { readSeed, type Seed } from './world/seed.ts';

/** What a world uses of the process that carries it. */
export interface Host {
  readonly log: Pick<Log, 'debug'>;
  readonly logFailure: (error: unknown, text: string, traceId?: string) => void;
  /** Aborted when the process begins to stop: before `closing`, if it drains. */
  readonly draining: AbortSignal;
  readonly closing: AbortSignal;
  /** Returns the world's address. May be called only after the process has begun to listen. */
  baseUrl(): string;
  /** Returns the URL at which this process can call itself. */
  localUrl(): string;
  readonly publicUrl: string | undefined;
  /** The path of the world below the process's address, such as `/w/test-1`. Empty: the first world. */
  readonly prefix: string;
}

export interface RunningWorld {
  /** Returns the content that a reset restores. */
  getSeed(): Seed;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly recorder: Recorder;
  name(): string;
  /** Whether the store was empty, so that the seed was loaded. */
  readonly fresh: boolean;
  load: Kit['load'];
  createReadyMadeTokens(): Promise<Readonly<Record<string, string>>>;
  readonly advance: ControlDeps['advance'];
  /** The world's parts of the app. */
  readonly routes: Omit<AppParts, 'controlOrigins' | 'console'>;
  startDeliveries(): Promise<void>;
  /** Returns the latest entries in the journal, newest first. */
  listRequests(limit: number): Promise<readonly JournalEntry[]>;
  /** Call this function while the kit still responds, because a check removes its entities from the kit. */
  stopChecks(): Promise<void>;
  /** Call this function when no request is left. */
  close(): Promise<void>;
}

/** Opens a world: its state, clock, journal, deliveries and routes. Nothing in it depends on other worlds in the same process. */
export async function openWorld(given: WorldSettings): Promise<RunningWorld> {
  const { settings, hooks, seed, image, opened } = given;
  const store = await openStore({ ...settings, isLarge: isLargeWorld(seed.rows), image, opened }, hooks.migrations);
  try {
    return await runWorld({ ...given, decisions: observeLookups(given.decisions, hooks.onDecision), store });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface WorldSettings {
  readonly settings: Settings;
  readonly hooks: KitHooks;
  readonly host: Host;
  readonly seed: Seed;
  /** Writes the content, if the store is empty. Default: the seed. */
  readonly fill?: Fill | undefined;
  /** The content of a store that contains the seed. */
  readonly image?: Uint8Array | undefined;
  /** The world's database, instead of the one in the settings. */
  readonly opened?: OpenDatabase | undefined;
  readonly decisions: Decisions;
  /** The other worlds of the process. Undefined: the world cannot create any. */
  readonly worlds: Worlds | undefined;
}

interface WorldParts extends WorldSettings {
  readonly store: Store;
}

async function runWorld({ settings, hooks, host, seed, fill, image, decisions, worlds, store }: WorldParts): Promise<RunningWorld> {
  const { log, logFailure } = host;
  const clock = createClock();
  const ids = createIds();
  const journal = await openJournal(store, host.closing, hooks.journalCapacity);
  const fingerprint = createFingerprint(journal.salt);
  const recorder = createRecorder({ journal, fingerprint, now: clock.now, getTraceId });
  const fresh = await seedWorld(store, seed, fill);
  // Worlds with the same content accept no cursors of each other.
  if (image) await store.write((tx) => markAsLoaded(tx, ids));
  const world = await createWorldState(store, clock, ids);
  const state = { store, world, clock, ids, decisions };
  const { prefix } = host;
  const addresses = { publicUrl: host.publicUrl, baseUrl: host.baseUrl, prefix };
  const faults = createFaults(state);
  const { close: closeLists, ...lists } = await openLaggingLists(store, clock, world, decisions['lists.read-model-lag']);
  const current = createCurrentWorld({ ...state, ...lists, prefix, fingerprint });
  const relay = createRelay();
  const outbox = createOutbox({
    ...state,
    relay,
    destinations: settings.destinations,
    timeoutMs: settings.deliveryTimeout,
    retries: settings.retries ?? decisions['events.delivery.retry-schedule'],
    historyCapacity: hooks.historyCapacity,
    onError: logFailure,
  });
  const metrics = createMetrics(state);
  outbox.observe(metrics.countAttempt);

  const guard = createOriginGuard({ token: settings.controlToken, publicUrl: settings.publicUrl, allow: settings.allowOrigin });
  const pipeline = createPipeline({
    ...state,
    faults,
    controlGuard: settings.control ? guard : undefined,
    verifier: current.verifier,
    closing: host.closing,
    recorder,
    service: current.service,
    observe(observation) {
      metrics.countRequest(observation);
      log.debug(observation, 'a request was answered');
      hooks.observe?.(observation);
    },
  });
  // Loaded only for a proxy, so that a kit starts faster.
  const proxy = settings.upstream && (await import('./proxy/proxy.ts')).createProxy(settings.upstream, recorder, pipeline, relay);
  const authorization = createAuthorizationRoutes({
    ...state,
    ...addresses,
    login: settings.login,
    getAuthority: current.authority,
    async shouldAlterState(res) {
      if (faults.isEmpty) return false;
      const [fault] = await faults.hit({ operationId: 'authorize', path: {}, req: { url: '' } }, ['altered-state']);
      if (fault) recorder.conclude(res, { cause: { asker: undefined, failure: undefined, evidence: { cause: 'fault', fault } } });
      return fault !== undefined;
    },
    withEntry: (to, res, body) =>
      recorder.withEntry?.(to, res, () => ({ status: res.statusCode, body: body === undefined ? undefined : String(body) })) ?? to,
    sendProblem,
    logError: (error, req) => logFailure(error, REQUEST_FAILED, getTraceId(req)),
  });
  const loader = createLoader({ store, world, seed });
  const clearRateWindows = () => {
    pipeline.clear();
    outbox.forget();
  };
  const { destinations, controlToken } = settings;
  const checks = createCheckRuns({ ids, decisions, destinations, controlToken, getUrl: host.localUrl });
  const control = createControlRoutes(
    {
      ...state,
      faults,
      journal,
      metrics,
      relay,
      worlds,
      createContext: current.service,
      createReadyMadeTokens: current.createReadyMadeTokens,
      mintToken: current.mint,
      reset: loader.reset,
      advance: outbox.advance,
      sendDuplicate: outbox.sendDuplicate,
      clearRateWindows,
      getClosingSignal: () => host.closing,
      getDrainingSignal: () => host.draining,
      reportReader: createReportReader(journal, settings.reports, checks),
      checks,
      about: { ...addresses, version, settings: getPublicSettings(settings), upstream: settings.upstream },
    },
    guard,
  );
  const documents = createDocumentRoutes({ ...addresses, version, world: () => world.name, control: settings.control });

  return {
    getSeed: loader.getSeed,
    store,
    clock,
    ids,
    decisions,
    recorder,
    name: () => world.name,
    fresh,
    async load(fixtures) {
      await loader.load(await readSeed({ fixtures, extend: settings.extend }));
      clearRateWindows();
      await journal.clear();
    },
    createReadyMadeTokens: current.createReadyMadeTokens,
    advance: outbox.advance,
    routes: {
      prefix,
      record: recorder.recordRequest,
      control: settings.control ? control : undefined,
      service: proxy?.handle ?? createServiceRoutes(pipeline),
      // What neither handles gets 404.
      open: [documents, authorization, (req, res, next) => pipeline.identify(req, res).then(() => next())],
      log: (error, traceId) => logFailure(error, REQUEST_FAILED, traceId),
    },
    startDeliveries: outbox.start,
    listRequests: (limit) => journal.list({ limit }),
    stopChecks: checks.stopAll,
    async close(): Promise<void> {
      await outbox.stop();
      await proxy?.close();
      await journal.stop();
      await closeLists();
      await store.close();
    },
  };
}

const REQUEST_FAILED = 'a request failed unexpectedly';
