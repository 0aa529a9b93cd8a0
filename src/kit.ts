import './node-version.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { toMilliseconds } from './clock/duration.ts';
import { advanceClock } from './control/clock.ts';
import { createKitServer } from './kit-server.ts';
import type { Kit, KitHooks } from './running-kit.ts';
import { openWorld } from './running-world.ts';
import { createLazyTools } from './sdk/lazy-tools.ts';
import { checkSettings, type KitSettings } from './settings.ts';
import { checkSettingTypes } from './settings-shape.ts';

export type { EventOf, EventType, ExperienceProviderEvent as ProviderEvent } from './contract/generated/events.ts';
export type { Problem } from './control-client/errors.ts';
export { RefusedError, UsageError } from './control-client/errors.ts';
export type { Advanced, Kit, KitClock, KitHooks } from './running-kit.ts';
export { LoginError, WaitError } from './sdk/errors.ts';
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
  const server = createKitServer(settings);
  const world = await openWorld(settings, hooks, server.host);
  try {
    await server.listen(world);
    await world.startDeliveries();
  } catch (error) {
    await server.close(0);
    await world.close();
    throw error;
  }
  const { url, port, localUrl } = server.getAddress();
  const { publicUrl, control: hasControl, controlToken } = settings;
  const tools = createLazyTools({ url: localUrl, publicUrl, hasControl, controlToken, store: world.store, fetch });

  async function stop(): Promise<void> {
    if (settings.drain > 0) {
      server.drain();
      await delay(settings.drain);
    }
    await server.close();
    await world.close();
    await tools.close();
  }
  let stopping: Promise<void> | undefined;
  const close = () => {
    stopping ??= stop();
    return stopping;
  };
  const { clock, decisions } = world;
  return {
    ...tools,
    url,
    authUrl: `${url}/auth`,
    port,
    store: world.store,
    fresh: world.fresh,
    world: world.name,
    clock: {
      now: clock.now,
      get offset() {
        return clock.offset;
      },
      advance: (by, maxWaitMs) => advanceClock(toMilliseconds(by), maxWaitMs, world),
    },
    decisions,
    tokens: world.createReadyMadeTokens,
    close,
    [Symbol.asyncDispose]: close,
  };
}
