import './node-version.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { toMilliseconds } from './clock/duration.ts';
import { advanceClock } from './control/clock.ts';
import { createKitServer } from './kit-server.ts';
import type { Kit, KitHooks } from './running-kit.ts';
import { openWorld, type RunningWorld } from './running-world.ts';
import { createLazyTools } from './sdk/lazy-tools.ts';
import { checkSettings, type KitSettings, resolveDecisions } from './settings.ts';
import { checkSettingTypes } from './settings-shape.ts';
import { readSeed } from './world/seed.ts';
import { createWorlds } from './worlds/worlds.ts';

export type { EventOf, EventType, ExperienceProviderEvent as ProviderEvent } from './contract/generated/events.ts';
export type { Problem, ProblemError } from './control-client/errors.ts';
export { RefusedError, UsageError } from './control-client/errors.ts';
export type { Advanced, Kit, KitClock, KitHooks } from './running-kit.ts';
export { type ConnectedKit, type ConnectOptions, connectKit } from './sdk/connect.ts';
export { LoginError, WaitError } from './sdk/errors.ts';
export type * from './sdk/event-types.ts';
export type * from './sdk/finding.ts';
export type { KitPaths, KitProblem, KitResponse } from './sdk/kit-schemas.ts';
export type * from './sdk/kit-tools.ts';
export type { TestWorld, WorldOptions } from './sdk/test-world.ts';
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
  const server = createKitServer(settings);
  const seed = await readSeed(settings);
  const decisions = await resolveDecisions(settings, seed);
  // A world besides the first one would be a proxy with its own journal, at a path that the target cannot have.
  const isProxy = settings.upstream !== undefined;
  const common = { settings, hooks, host: server.host, decisions };
  const others = createWorlds({ ...common, getFirst: () => world, createListener: server.createListener });
  const world: RunningWorld = await openWorld({ ...common, seed, worlds: isProxy ? undefined : others.worlds });
  try {
    await others.start();
    await server.listen(world, isProxy ? undefined : others.select);
    await world.startDeliveries();
  } catch (error) {
    await server.close(0);
    await world.close();
    throw error;
  }
  const { url, port, localUrl } = server.getAddress();
  const { publicUrl, control: hasControl, controlToken } = settings;
  const tools = createLazyTools({ url: localUrl, publicUrl, hasControl, controlToken, fetch });

  async function stop(): Promise<void> {
    await world.stopChecks();
    if (settings.drain > 0) {
      server.drain();
      await delay(settings.drain);
    }
    await server.close();
    await others.close();
    await world.close();
    await tools.close();
  }
  let stopping: Promise<void> | undefined;
  const close = () => {
    stopping ??= stop();
    return stopping;
  };
  const { clock } = world;
  return {
    ...tools,
    createWorld: async (options) =>
      (await import('./sdk/test-world.ts')).createWorld({ url: localUrl, controlToken, control: tools.control }, options),
    url,
    authUrl: `${url}/auth`,
    port,
    store: world.store,
    fresh: world.fresh,
    world: world.name,
    load: world.load,
    clock: {
      now: clock.now,
      get offset() {
        return clock.offset;
      },
      advance: (by, maxWaitMs) => advanceClock(toMilliseconds(by), maxWaitMs, world),
    },
    decisions: world.decisions,
    tokens: world.createReadyMadeTokens,
    close,
    [Symbol.asyncDispose]: close,
  };
}
