import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '../../events/destination.ts';
import { CommandError, runCommand } from './commands.ts';

/** What the user lets the check do with the consumer: a command, a URL to POST to, or a function. */
export type Hook = { readonly command: string } | { readonly url: string } | (() => void | Promise<void>);

export type HookName = 'restart' | 'loseStore';

export type Hooks = Readonly<Partial<Record<HookName, Hook>>>;

const OPTIONS: Readonly<Record<HookName, string>> = { restart: '--restart', loseStore: '--lose-store' };

/** The scenario needs a hook that the user did not give. */
export class NoHook extends Error {
  override readonly name = 'NoHook';
  readonly option: string;

  constructor(name: HookName) {
    super(`${OPTIONS[name]} was not given`);
    this.option = OPTIONS[name];
  }
}

/** Calls a hook, and waits until the endpoint accepts connections again. @throws NoHook, CommandError */
export async function callHook(hooks: Hooks, name: HookName, endpoint: string): Promise<void> {
  const hook = hooks[name];
  const option = OPTIONS[name];
  if (hook === undefined) throw new NoHook(name);
  if (typeof hook === 'function') await hook();
  else if ('command' in hook) await runCommand(hook.command, option);
  else {
    const response = await fetch(hook.url, { method: 'POST' }).catch((error: Error) => {
      throw new CommandError(`The URL of ${option} did not respond: ${error.message}`);
    });
    if (!response.ok) throw new CommandError(`The URL of ${option} responded with ${response.status} to POST.`);
  }
  await reachable(endpoint, option);
}

const START_MS = 15_000;

/** Waits until the endpoint accepts connections. */
async function reachable(url: string, option: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      return await connectTo(url, START_MS);
    } catch (error) {
      if (performance.now() > deadline)
        throw new CommandError(
          `The endpoint did not accept connections within ${START_MS / 1000} s after ${option}: ${(error as Error).message}`,
        );
    }
    await delay(50);
  }
}

/** Connects to the host and port of a URL, and sends nothing, because a request could have an effect. @throws Error without a connection */
export async function connectTo(url: string, timeoutMs: number): Promise<void> {
  const parsed = new URL(url);
  const port = Number(parsed.port || (parsed.protocol === 'https:' ? 443 : 80));
  const socket = connect({ host: hostOf(parsed), port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
  } finally {
    socket.destroy();
  }
}
