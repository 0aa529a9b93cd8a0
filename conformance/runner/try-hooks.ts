import { eventTypes } from '../../src/contract/generated/events.ts';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { startReceiver } from '../actors/receiver.ts';
import type { Pair } from '../target/capabilities.ts';
import { createHookCalls, HookError } from '../target/hook-calls.ts';
import { HOOK_NAMES, type HookName, type HookSettings } from '../target/hooks.ts';
import type { TargetSettings } from '../target/target-settings.ts';
import { TargetError } from './target-error.ts';

/** The values for the arguments of hooks. A hook is not tried if a value for its arguments is missing. */
interface Available {
  readonly account?: string | undefined;
  readonly pair?: Pair | undefined;
  readonly destinationUrl?: string | undefined;
}

const alone = () => [];
const inAccount = ({ account }: Available) => account && [account];
const connect = ({ pair }: Available) => pair && [pair];

/**
 * For each hook, the arguments of the trial. The hooks that are not listed undo the effect of a listed hook, or create an assignment. The
 * target may require a connection for an assignment, so an assignment that it refuses is no mistake in the profile.
 */
const TRIALS: { readonly [Hook in HookName]?: (available: Available) => readonly unknown[] | '' | undefined } = {
  'fault.users': ({ account }) => account && ['getUsers', 429, { accountId: account }],
  'fault.authorization': ({ account }) => account && ['getUsers', { accountId: account }],
  'token.expired': alone,
  numbers: inAccount,
  users: inAccount,
  'experiences.unconnected': alone,
  'subscriptions.create': ({ destinationUrl }) => destinationUrl && [{ destinationUrl, types: eventTypes }],
  'portal.users.create': inAccount,
  'portal.connections.create': connect,
  'platform.users.create': inAccount,
  'platform.connections.create': connect,
  'platform.accounts.create': alone,
  'platform.numbers.create': inAccount,
};

/**
 * Calls each hook of TRIALS once, and undoes its effect.
 * @param useFault sends a request that uses up the fault of a hook
 * @throws TargetError if a hook fails
 */
export async function tryHooks(
  hooks: HookSettings,
  { profile, receiver: address, timeoutMs }: Pick<TargetSettings, 'profile' | 'receiver' | 'timeoutMs'>,
  useFault: () => Promise<unknown>,
): Promise<void> {
  const calls = createHookCalls(hooks, timeoutMs);
  // The receiver must respond during the trial, because the target may send a request to a new subscriber.
  const receiver = address && (await startReceiver(address));
  const available = { ...resourcesOf(profile), destinationUrl: receiver?.openMailbox().url };
  try {
    for (const hook of HOOK_NAMES.filter(calls.has)) {
      const args = TRIALS[hook]?.(available);
      if (!args || (/^(portal|platform)\./.test(hook) && !profile.allow?.write)) continue;
      const created = await calls.call(hook, ...args);
      const undo = (hook.endsWith('.create') ? hook.replace(/create$/, 'remove') : `${hook}.release`) as HookName;
      if (hook.startsWith('fault.')) await useFault();
      else if (calls.has(undo)) await calls.call(undo, created);
    }
  } catch (error) {
    throw error instanceof HookError ? new TargetError(error.message) : error;
  } finally {
    await receiver?.close();
  }
}

function resourcesOf({ accounts = {}, experiences = {} }: Profile): Available {
  const { unconnected: [unconnected] = [] } = experiences;
  return {
    account: accounts.main,
    pair: accounts.second && unconnected ? { accountId: accounts.second, experienceId: unconnected } : undefined,
  };
}
