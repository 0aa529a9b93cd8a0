import { getKitOfWorld, toPathUrl } from '../contract/world-url.ts';
import type { KitTools } from './kit-tools.ts';
import { createLazyTools } from './lazy-tools.ts';
import type { TestWorld, WorldOptions } from './test-world.ts';

/** A kit in another process, or one of its worlds, with tools for tests. */
export interface ConnectedKit extends KitTools, AsyncDisposable {
  /** The service's address, without a trailing slash. */
  readonly url: string;
  readonly authUrl: string;
  /**
   * Creates a world that shares nothing with others: state, clock, faults, journal, limits, deliveries, keys. `await using` ends it.
   * @example await using world = await kit.createWorld({ label: 'checkout' });
   * @throws UsageError if the kit refuses an option; RefusedError if it has too many worlds
   */
  createWorld(options?: WorldOptions): Promise<TestWorld>;
  /** Closes the receivers of events. The kit goes on. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** The kit's control token, if it has one. */
  readonly controlToken?: string;
}

/**
 * Returns tools for a kit that runs in another process. Sends no request before the first use.
 * @param url the kit's address, such as `http://127.0.0.1:4010`, or the base URL of one of its worlds
 * @example await using kit = connectKit(process.env.XPK_URL ?? 'http://127.0.0.1:4010');
 */
export function connectKit(url: string, { controlToken }: ConnectOptions = {}): ConnectedKit {
  const ownUrl = toPathUrl(url.replace(/\/+$/, ''));
  const kitUrl = getKitOfWorld(ownUrl);
  const createToolsAt = (at: string) => createLazyTools({ url: at, publicUrl: undefined, hasControl: true, controlToken, fetch });
  const tools = createToolsAt(ownUrl);
  return {
    ...tools,
    url: ownUrl,
    authUrl: `${ownUrl}/auth`,
    createWorld: async (options) =>
      (await import('./test-world.ts')).createWorld({ url: kitUrl, controlToken, control: createToolsAt(kitUrl).control }, options),
    [Symbol.asyncDispose]: tools.close,
  };
}
