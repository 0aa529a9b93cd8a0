import type { TestInfo } from '@playwright/test';
import { type Arrangement, createArrangement } from './arrangement.ts';
import { boundaryOf } from './boundary.ts';
import { type Cleanup, createCleanup } from './cleanup.ts';
import { createControl } from './control.ts';
import type { Answer } from './exchange.ts';
import { createHookCalls } from './hook-calls.ts';
import { hookCapabilities } from './hook-capabilities.ts';
import { kitCapabilities } from './kit-capabilities.ts';
import { isLoopback } from './loopback.ts';
import { createPacer } from './pacer.ts';
import { profileCapabilities } from './profile-capabilities.ts';
import { allow } from './running-check.ts';
import { type ReceiverSettings, readTargetSettings, type TargetSettings } from './target-settings.ts';

/** The server under test, for one worker. */
export interface Target {
  readonly arrangement: Arrangement;
  readonly client: {
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
    readonly pace?: (() => Promise<void>) | undefined;
  };
  /** The exchanges of the running check, in order. */
  readonly trail: { operationId: string; answer: Answer }[];
  /** Removes everything that was created for the checks of this worker. */
  readonly cleanup: Cleanup;
  /** What no report may show. */
  readonly secrets: readonly string[];
  /** Where a check sends its requests. */
  baseUrlFor(test: TestInfo): string;
  /** The address to which the target delivers what is meant for `url`. */
  destinationFor(test: TestInfo, url: string): string;
  /** Where deliveries are received. Absent: at any free port of this machine. */
  readonly receiver: ReceiverSettings | undefined;
  /** Whether this check can prove nothing new. */
  isRedundant(test: TestInfo): boolean;
  /** Called when a check has ended. */
  ended(test: TestInfo): Promise<void>;
  close(): Promise<void>;
}

/** Opens the target that the environment names. @param name tells workers apart. */
export async function openTarget(name: string): Promise<Target> {
  const settings = readTargetSettings(process.env);
  const boundary = await boundaryOf(settings);
  const cleanup = createCleanup();
  const arrangement = await arrangementOf(settings, name, cleanup);
  return {
    arrangement,
    client: { headers: settings.headers, timeoutMs: settings.timeoutMs, pace: pacerOf(settings) },
    trail: [],
    cleanup,
    secrets: settings.secrets ?? [],
    baseUrlFor: boundary.baseUrlFor,
    destinationFor: boundary.destinationFor,
    receiver: settings.receiver,
    isRedundant: boundary.isRedundant,
    ended: boundary.ended,
    async close() {
      await cleanup.run();
      await boundary.close();
    },
  };
}

function pacerOf({ requestsPerSecond }: TargetSettings): (() => Promise<void>) | undefined {
  return requestsPerSecond === undefined ? undefined : createPacer(requestsPerSecond, () => performance.now());
}

async function arrangementOf(settings: TargetSettings, name: string, cleanup: Cleanup): Promise<Arrangement> {
  const { control: kit, hooks, timeoutMs, interactive } = settings;
  if (kit !== undefined) {
    const canReceive = settings.receiver !== undefined || isLoopback(kit.url);
    const control = createControl(kit.url, kit.token);
    return createArrangement(await kitCapabilities({ control, name, cleanup, disposable: kit.disposable === true, canReceive }));
  }
  return createArrangement({
    ...profileCapabilities(settings.profile, interactive),
    ...(hooks && hookCapabilities(createHookCalls(hooks, timeoutMs, { allow }), cleanup)),
  });
}
