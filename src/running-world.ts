import { createDocumentRoutes } from './api/documents.ts';
import { createServiceRoutes } from './api/routes.ts';
import { type Clock, createClock } from './clock/clock.ts';
import { createFingerprint } from './clock/fingerprint.ts';
import { createIds, type Ids } from './clock/ids.ts';
import type { Decisions } from './contract/generated/decisions.ts';
import type { ControlDeps } from './control/handler.ts';
import { createMetrics } from './control/metrics.ts';
import { resetWorld } from './control/reset.ts';
import { createControlRoutes } from './control/routes.ts';
import { createOutbox } from './events/outbox.ts';
import type { AppParts } from './http/app.ts';
import { createFaults } from './http/faults.ts';
import type { Log } from './http/log.ts';
import { createOriginGuard } from './http/origin-guard.ts';
import { createPipeline } from './http/pipeline.ts';
import { sendProblem } from './http/problem.ts';
import { getTraceId } from './http/trace.ts';
import { openJournal } from './journal/open-journal.ts';
import { createRecorder, type Recorder } from './journal/recorder.ts';
import { createCurrentWorld } from './oauth/current-world.ts';
import { createAuthorizationRoutes } from './oauth/server/routes.ts';
import { createReportReader } from './report-reader.ts';
import type { KitHooks } from './running-kit.ts';
import { openLaggingLists } from './service/lagging-lists.ts';
import { createWorldState } from './service/world-state.ts';
import { getPublicSettings, resolveDecisions, type Settings } from './settings.ts';
import { openStore, type Store } from './store/store.ts';
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
  /** Returns the process's address. May be called only after the process has begun to listen. */
  baseUrl(): string;
}

export interface RunningWorld {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly decisions: Decisions;
  readonly recorder: Recorder;
  name(): string;
  /** Whether the store was empty, so that the seed was loaded. */
  readonly fresh: boolean;
  createReadyMadeTokens(): Promise<Readonly<Record<string, string>>>;
  readonly advance: ControlDeps['advance'];
  /** The world's parts of the app. */
  readonly routes: Omit<AppParts, 'controlOrigins' | 'console'>;
  startDeliveries(): Promise<void>;
  /** Call this function when no request is left. */
  close(): Promise<void>;
}

/** Opens a world: its state, clock, journal, deliveries and routes. Nothing in it depends on other worlds in the same process. */
export async function openWorld(settings: Settings, hooks: KitHooks, host: Host): Promise<RunningWorld> {
  const seed = await readSeed(settings);
  const decisions = await resolveDecisions(settings, seed);
  const store = await openStore({ ...settings, isLarge: isLargeWorld(seed.rows) }, hooks.migrations);
  try {
    return await runWorld({ settings, hooks, host, seed, decisions, store });
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface WorldParts {
  readonly settings: Settings;
  readonly hooks: KitHooks;
  readonly host: Host;
  readonly seed: Seed;
  readonly decisions: Decisions;
  readonly store: Store;
}

async function runWorld({ settings, hooks, host, seed, decisions, store }: WorldParts): Promise<RunningWorld> {
  const { log, logFailure } = host;
  const clock = createClock();
  const ids = createIds();
  const journal = await openJournal(store, host.closing, hooks.journalCapacity);
  const fingerprint = createFingerprint(journal.salt);
  const recorder = createRecorder({ journal, fingerprint, now: clock.now, getTraceId });
  const fresh = await seedWorld(store, seed);
  const world = await createWorldState(store, clock, ids);
  const state = { store, world, clock, ids, decisions };
  const addresses = { publicUrl: settings.publicUrl, baseUrl: host.baseUrl };
  const faults = createFaults(state);
  const { close: closeLists, ...lists } = await openLaggingLists(store, clock, world, decisions['lists.read-model-lag']);
  const current = createCurrentWorld({ ...state, ...lists, fingerprint });
  const outbox = createOutbox({
    ...state,
    destinations: settings.destinations,
    timeoutMs: settings.deliveryTimeout,
    retries: settings.retries ?? decisions['events.delivery.retry-schedule'],
    historyCapacity: hooks.historyCapacity,
    onError: logFailure,
  });
  const metrics = createMetrics(state);
  outbox.observe(metrics.countAttempt);

  const pipeline = createPipeline({
    ...state,
    faults,
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
  const control = createControlRoutes(
    {
      ...state,
      faults,
      journal,
      metrics,
      createContext: current.service,
      createReadyMadeTokens: current.createReadyMadeTokens,
      mintToken: current.mint,
      reset: (to) => resetWorld(to, { store, world, seed }),
      advance: outbox.advance,
      sendDuplicate: outbox.sendDuplicate,
      clearRateWindows() {
        pipeline.clear();
        outbox.forget();
      },
      getClosingSignal: () => host.closing,
      getDrainingSignal: () => host.draining,
      reportReader: createReportReader(journal, settings.reports),
      about: { ...addresses, version, settings: getPublicSettings(settings) },
    },
    createOriginGuard({ token: settings.controlToken, publicUrl: settings.publicUrl, allow: settings.allowOrigin }),
  );
  const documents = createDocumentRoutes({ ...addresses, version, world: () => world.name, control: settings.control });

  return {
    store,
    clock,
    ids,
    decisions,
    recorder,
    name: () => world.name,
    fresh,
    createReadyMadeTokens: current.createReadyMadeTokens,
    advance: outbox.advance,
    routes: {
      record: recorder.recordRequest,
      control: settings.control ? control : undefined,
      service: createServiceRoutes(pipeline),
      open: [documents, authorization],
      log: (error, traceId) => logFailure(error, REQUEST_FAILED, traceId),
    },
    startDeliveries: outbox.start,
    async close(): Promise<void> {
      await outbox.stop();
      await journal.stop();
      await closeLists();
      await store.close();
    },
  };
}

const REQUEST_FAILED = 'a request failed unexpectedly';
