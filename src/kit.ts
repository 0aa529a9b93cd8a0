import './node-version.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Response, Router } from 'express';
import { createDocumentRoutes } from './api/documents.ts';
import { createServiceRoutes } from './api/routes.ts';
import { createClock } from './clock/clock.ts';
import { toMilliseconds } from './clock/duration.ts';
import { createFingerprint } from './clock/fingerprint.ts';
import { createIds } from './clock/ids.ts';
import { createConsoleRoutes } from './console/routes.ts';
import { type Failure, isFailure } from './contract/failure.ts';
import type { Decisions } from './contract/generated/decisions.ts';
import { advanceClock } from './control/clock.ts';
import { createMetrics } from './control/metrics.ts';
import { resetWorld } from './control/reset.ts';
import { createControlRoutes } from './control/routes.ts';
import { advance } from './events/advance.ts';
import { sendDuplicate } from './events/attempt.ts';
import { createDispatcher } from './events/dispatcher.ts';
import { limitHistory } from './events/history.ts';
import { createLazySender } from './events/lazy-sender.ts';
import { createApp } from './http/app.ts';
import type { Exchange } from './http/exchange.ts';
import { createFaults } from './http/faults.ts';
import { MAX_CONTROL_BODY_BYTES } from './http/framing.ts';
import { createHostGuard } from './http/host-guard.ts';
import { createFailureLog, createLog } from './http/log.ts';
import type { Observation } from './http/observation.ts';
import { createOriginGuard } from './http/origin-guard.ts';
import { createPipeline } from './http/pipeline.ts';
import { sendProblem } from './http/problem.ts';
import { createHttpServer } from './http/server.ts';
import { type SuccessResponse, toBodyText } from './http/success-response.ts';
import { getTraceId } from './http/trace.ts';
import { createMemoryJournal } from './journal/memory-journal.ts';
import { createRecorder } from './journal/recorder.ts';
import { createCurrentWorld } from './oauth/current-world.ts';
import { createAuthorizationRoutes } from './oauth/server/routes.ts';
import type { VerifiedToken } from './oauth/token-claims.ts';
import { createReportReader } from './report-reader.ts';
import type { Kit, KitHooks } from './running-kit.ts';
import { createLazyTools } from './sdk/lazy-tools.ts';
import { openLaggingLists } from './service/lagging-lists.ts';
import { createWorldState } from './service/world-state.ts';
import { checkSettings, getPublicSettings, type KitSettings, resolveDecisions, type Settings } from './settings.ts';
import { checkSettingTypes } from './settings-shape.ts';
import type { Executor } from './store/engine.ts';
import { openStore, type Store } from './store/store.ts';
import { version } from './version.ts';
import { isLargeWorld, seedWorld } from './world/load.ts';
import { readSeed, type Seed } from './world/seed.ts';

export type { EventOf, EventType, ExperienceProviderEvent as ProviderEvent } from './contract/generated/events.ts';
export type { Problem } from './control-client/errors.ts';
export { LoginError, RefusedError, UsageError, WaitError } from './control-client/errors.ts';
export type { Advanced, Kit, KitClock, KitHooks } from './running-kit.ts';
export type * from './sdk/event-types.ts';
export type * from './sdk/finding.ts';
export type { KitPaths, KitProblem, KitResponse } from './sdk/kit-schemas.ts';
export type * from './sdk/kit-tools.ts';
export type { KitSettings } from './settings.ts';
export type { WorldExtension } from './world/extend.ts';
export type { EntityOf, World } from './world/world.ts';

/**
 * Starts a kit in this process.
 * @example await using kit = await createKit({ port: 0 });
 * @throws SettingsError, FixtureError or another Error with a message for the user
 */
export async function createKit(given: KitSettings = {}, hooks: KitHooks = {}): Promise<Kit> {
  checkSettingTypes(given);
  const settings = checkSettings(given);
  const seed = await readSeed(settings);
  const decisions = await resolveDecisions(settings, seed);
  const store = await openStore({ ...settings, isLarge: isLargeWorld(seed.rows) }, hooks.migrations);
  try {
    return await startKit(settings, seed, decisions, store, hooks);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startKit(settings: Settings, seed: Seed, decisions: Decisions, store: Store, hooks: KitHooks): Promise<Kit> {
  const clock = createClock();
  const ids = createIds();
  const log = createLog(settings.logLevel);
  const logFailure = createFailureLog(log);
  const keeps = { capacity: hooks.journalCapacity };
  const journal =
    store.engine === 'postgres'
      ? await (await import('./journal/shared-journal.ts')).openSharedJournal(store, keeps)
      : createMemoryJournal(keeps);
  const fingerprint = createFingerprint(journal.salt);
  const recorder = createRecorder({ journal, fingerprint, now: clock.now, getTraceId });
  const fresh = await seedWorld(store, seed);
  const world = await createWorldState(store, clock, ids);
  const faults = createFaults({ store, world });
  const { close: closeLists, ...lists } = await openLaggingLists(store, clock, world, decisions['lists.read-model-lag']);
  const current = createCurrentWorld({ ...lists, world, clock, ids, decisions, fingerprint });
  const timeoutMs = settings.deliveryTimeout;
  const sender = createLazySender({ mode: settings.destinations, timeoutMs, acknowledgedBy: decisions['events.delivery.acknowledged-by'] });
  const dispatcher = createDispatcher({
    store,
    world,
    clock,
    ids,
    decisions,
    sender,
    timeoutMs,
    retries: settings.retries ?? decisions['events.delivery.retry-schedule'],
    random: Math.random,
    onError: (error) => logFailure(error, 'the outbox could not be read or written'),
  });
  const metrics = createMetrics({ store, clock });
  dispatcher.observe(metrics.countAttempt);
  const stopRemoval = limitHistory({
    store,
    capacity: hooks.historyCapacity,
    onError: (error) => logFailure(error, 'old events could not be removed'),
  });
  const advanceBy = (ms: number, maxWaitMs?: number) => advance(ms, { world, clock, dispatcher }, maxWaitMs);
  let url = '';
  const getClosingSignal = () => server.closing;

  const observe = (observation: Observation, res: Response, token: VerifiedToken | undefined) => {
    recorder.recordStep(res, observation.step, token);
    metrics.countRequest(observation);
    log.debug(observation, 'a request was answered');
    hooks.observe?.(observation);
  };
  const pipeline = createPipeline({
    store,
    world,
    clock,
    decisions,
    faults,
    verifier: current.verifier,
    observe,
    onCause: recorder.setCause,
    getClosingSignal,
  });
  /** Stores a change's journal entry in the change's transaction. A refusal's entry is stored later. */
  const storeEntry = async (tx: Executor, { res, token }: Exchange, response: SuccessResponse | Failure) =>
    isFailure(response)
      ? () => {}
      : recorder.storeInTransaction(tx, res, { step: 'done', token, status: response.status, body: toBodyText(response) });
  const createControlRouter = (): Router =>
    createControlRoutes(
      {
        store,
        world,
        clock,
        ids,
        decisions,
        faults,
        journal,
        createContext: current.service,
        createReadyMadeTokens: current.createReadyMadeTokens,
        mintToken: current.mint,
        reset: (to) => resetWorld(to, { store, world, seed }),
        advance: advanceBy,
        sendDuplicate: (delivery) => sendDuplicate(delivery, { store, clock, ids, decisions, sender }),
        clearRateWindows() {
          pipeline.clear();
          dispatcher.forget();
        },
        getClosingSignal,
        getDrainingSignal: () => server.draining,
        metrics,
        reportReader: createReportReader(journal, settings.reports),
        about: { version, settings: getPublicSettings(settings), publicUrl: settings.publicUrl, baseUrl: () => url },
      },
      createOriginGuard({ token: settings.controlToken, publicUrl: settings.publicUrl, allow: settings.allowOrigin }),
    );
  const logRequestFailure = (error: unknown, traceId: string) => logFailure(error, 'a request failed unexpectedly', traceId);
  const authorization = createAuthorizationRoutes({
    store,
    world,
    clock,
    decisions,
    login: settings.login,
    getAuthority: current.authority,
    publicUrl: settings.publicUrl,
    baseUrl: () => url,
    async shouldAlterState(res) {
      if (faults.isEmpty) return false;
      const [fault] = await faults.hit({ operationId: 'authorize', path: {}, req: { url: '' } }, ['altered-state']);
      if (fault) recorder.setCause(res as Response, { asker: undefined, failure: undefined, evidence: { cause: 'fault', fault } });
      return fault !== undefined;
    },
    storeEntry:
      journal.addInTransaction &&
      ((tx, res, body) =>
        recorder.storeInTransaction(tx, res as Response, { status: res.statusCode, body: body === undefined ? undefined : String(body) })),
    sendProblem,
    logError: (error, req) => logRequestFailure(error, getTraceId(req)),
  });
  const home = { version, world: () => world.name, control: settings.control, publicUrl: settings.publicUrl, baseUrl: () => url };
  const app = createApp({
    record: recorder.recordRequest,
    control: settings.control ? createControlRouter() : undefined,
    controlOrigins: settings.allowOrigin,
    console: settings.control ? createConsoleRoutes() : undefined,
    service: createServiceRoutes(pipeline, current.service, journal.addInTransaction && storeEntry),
    open: [createDocumentRoutes(home), authorization],
    log: logRequestFailure,
  });
  const server = createHttpServer({
    listener: app,
    generateTraceId: ids.traceId,
    hostGuard: createHostGuard({ allow: settings.allowHost, publicUrl: settings.publicUrl, bind: settings.host }),
    maxBodyBytes: MAX_CONTROL_BODY_BYTES,
    // The path is not logged, because its query may contain secrets.
    onRefused(request) {
      recorder.recordRefusal(request);
      log.debug({ traceId: request.traceId, problem: request.gate, method: request.method }, 'a request was refused');
    },
    ...settings.timeouts,
  });
  server.node.on('connection', recorder.assignConnectionNumber);
  const { port } = await server.listen(settings.port, settings.host).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') error.message += '. Set another port, or port: 0 for any free port.';
    throw error;
  });
  await dispatcher.start().catch(async (error: unknown) => {
    await server.close(0);
    throw error;
  });
  const formatUrl = (host: string) => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  url = settings.publicUrl ?? formatUrl(settings.host);
  const tools = createLazyTools({
    // Use the server's own address, because the public URL may point to a proxy that is not running. Replace a wildcard address, because
    // not every client can connect to it.
    url: formatUrl(settings.host.replace(/^(0\.0\.0\.0|::)$/, (all) => (all === '::' ? '::1' : '127.0.0.1'))),
    publicUrl: settings.publicUrl,
    hasControl: settings.control,
    controlToken: settings.controlToken,
    store,
    fetch,
  });
  let closing: Promise<void> | undefined;
  function close() {
    closing ??= stop();
    return closing;
  }
  async function stop() {
    if (settings.drain > 0) {
      server.drain();
      await delay(settings.drain);
    }
    journal.close();
    await server.close();
    const stopping = dispatcher.stop();
    await Promise.race([stopping, delay(DISPATCHER_GRACE_MS, undefined, { ref: false })]);
    // Aborts the attempts in flight. The next kit with the same store repeats them.
    await sender.close();
    await stopping;
    await tools.close();
    await journal.stop();
    await stopRemoval();
    await closeLists();
    await store.close();
  }
  return {
    ...tools,
    url,
    authUrl: `${url}/auth`,
    port,
    store,
    fresh,
    world: () => world.name,
    clock: {
      now: clock.now,
      get offset() {
        return clock.offset;
      },
      advance: (by, maxWaitMs) => advanceClock(toMilliseconds(by), maxWaitMs, { store, clock, ids, advance: advanceBy }),
    },
    decisions,
    tokens: current.createReadyMadeTokens,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The maximum wall time that `close` waits for delivery attempts, in milliseconds. */
const DISPATCHER_GRACE_MS = 500;
