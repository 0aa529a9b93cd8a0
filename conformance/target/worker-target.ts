import type { Answer } from '../../src/expect/answer.ts';
import { type Arrangement, createArrangement } from './arrangement.ts';
import { type Boundary, openConfiguredBoundary } from './boundary.ts';
import { extendTimeout } from './check-report.ts';
import { type Cleanup, createCleanup } from './cleanup.ts';
import { createControl } from './control.ts';
import { createHookCalls } from './hook-calls.ts';
import { createHookCapabilities } from './hook-capabilities.ts';
import { createKitCapabilities } from './kit-capabilities.ts';
import { createListLag, type ListLag } from './list-lag.ts';
import { isLoopback } from './loopback.ts';
import { createPacer } from './pacer.ts';
import { createProfileCapabilities } from './profile-capabilities.ts';
import type { TargetSettings } from './target-settings.ts';

export interface Target {
  readonly settings: TargetSettings;
  readonly arrangement: Arrangement;
  readonly boundary: Boundary;
  /** Waits until the next request may be sent. Undefined if the profile does not limit the rate of requests. */
  readonly pace: (() => Promise<void>) | undefined;
  readonly lists: ListLag;
  /** The running check's requests and responses, in order. */
  readonly trail: { operationId: string; answer: Answer }[];
  readonly cleanup: Cleanup;
}

/** @param name the worker's unique name */
export async function openTarget(settings: TargetSettings, name: string): Promise<Target> {
  const { requestsPerSecond } = settings;
  const boundary = await openConfiguredBoundary(settings);
  const cleanup = createCleanup();
  const arrangement = await createTargetArrangement(settings, name, cleanup);
  const pace = requestsPerSecond === undefined ? undefined : createPacer(requestsPerSecond, () => performance.now());
  const lists = createListLag(arrangement.has('lists.bound') ? await arrangement.need('lists.bound') : 0);
  return { settings, arrangement, boundary, pace, lists, trail: [], cleanup };
}

async function createTargetArrangement(settings: TargetSettings, name: string, cleanup: Cleanup): Promise<Arrangement> {
  const { control: kit, hooks, timeoutMs, interactive } = settings;
  if (kit !== undefined) {
    const canReceive = settings.receiver !== undefined || isLoopback(kit.url);
    const control = createControl(kit.url, kit.token);
    return createArrangement(await createKitCapabilities({ control, name, cleanup, disposable: kit.disposable === true, canReceive }));
  }
  const given = createProfileCapabilities(settings.profile, interactive);
  return createArrangement({
    ...given,
    ...(hooks && createHookCapabilities(createHookCalls(hooks, timeoutMs, { allow: extendTimeout }), cleanup, given)),
  });
}
