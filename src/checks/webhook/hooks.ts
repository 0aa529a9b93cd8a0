import { setTimeout as delay } from 'node:timers/promises';
import { fetchWhole } from '../../contract/limited-body.ts';
import { CommandError, runCommand } from './commands.ts';
import type { Endpoint } from './endpoint.ts';
import { ScenarioEnd } from './result.ts';

/** Restarts the consumer or clears its store. A hook is a command, a URL to POST to, or a function. */
export type Hook = { readonly command: string } | { readonly url: string; readonly fetch?: typeof fetch } | (() => void | Promise<void>);

export interface Hooks {
  /** The hook that restarts the consumer. */
  readonly restart?: Hook | undefined;
  /** The hook that clears the consumer's store. */
  readonly loseStore?: Hook | undefined;
}

const HOOK_OPTIONS = { restart: '--restart', loseStore: '--lose-store' } as const satisfies Record<keyof Hooks, string>;

const NOT_RESTARTED =
  'The --restart command did not close the connection to your endpoint, so your consumer was probably not restarted. If a proxy keeps the connection open, run the check without the proxy.';

/**
 * Calls a hook, and waits until the endpoint accepts connections again.
 * @throws ScenarioEnd if the hook is missing, or if a command restarts nothing; CommandError
 */
export async function callHook(
  hooks: Hooks,
  name: keyof Hooks,
  endpoint: Pick<Endpoint, 'connect' | 'hold'>,
  interrupt?: AbortSignal,
): Promise<void> {
  const hook = hooks[name];
  const option = HOOK_OPTIONS[name];
  if (hook === undefined) throw new ScenarioEnd({ verdict: 'not-testable', reason: `${option} was not given`, missing: [option] });
  // A function or a request may restart a part of a process.
  const held = name === 'restart' && 'command' in hook ? await endpoint.hold() : [];
  if (typeof hook === 'function') await hook();
  else if ('command' in hook) await runCommand(hook.command, option, interrupt);
  else {
    const response = await fetchWhole(hook.url, { method: 'POST' }, hook).catch((error: Error) => {
      throw new CommandError(`The ${option} URL ${hook.url} did not respond: ${error.message}`);
    });
    if (!response.ok) throw new CommandError(`The ${option} URL responded to POST with ${response.status}.`);
  }
  await waitUntilReachable(endpoint.connect, option);
  const isConnected = () => held.some(({ destroyed, readableEnded }) => !destroyed && !readableEnded);
  for (let reads = 0; reads < 10 && isConnected(); reads++) await delay(20);
  if (isConnected()) throw new ScenarioEnd({ verdict: 'not-testable', reason: NOT_RESTARTED });
}

const MAX_START_MS = 15_000;

async function waitUntilReachable(connectToEndpoint: () => Promise<void>, option: string): Promise<void> {
  const deadline = performance.now() + MAX_START_MS;
  for (;;) {
    try {
      return await connectToEndpoint();
    } catch (error) {
      if (performance.now() > deadline)
        throw new CommandError(
          `The endpoint did not accept connections within ${MAX_START_MS / 1000} s after ${option}: ${(error as Error).message}`,
        );
    }
    await delay(50);
  }
}
