import { eventTypes } from '../../src/contract/generated/events.ts';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { startReceiver } from '../actors/receiver.ts';
import { createHookCalls, HookError } from '../target/hook-calls.ts';
import { HOOK_NAMES, type HookName, type HookSettings } from '../target/hooks.ts';
import type { TargetSettings } from '../target/target-settings.ts';
import { TargetError } from './target-error.ts';

/** Returns the arguments of hooks. A hook is absent if it may need another hook's result, and without arguments if a value is missing. */
function listTrialArguments(
  { accounts: { main: account, second } = {}, experiences = {} }: Profile,
  destinationUrl: string | undefined,
): { readonly [Hook in HookName]?: readonly unknown[] | '' | undefined } {
  const [experienceId] = experiences.unconnected ?? [];
  const ofAccount = account && [account];
  const ofPair = second && experienceId && [{ accountId: second, experienceId }];
  return {
    'fault.users': account && ['getUsers', 429, { accountId: account }],
    'fault.authorization': account && ['getUsers', { accountId: account }],
    'token.expired': [],
    numbers: ofAccount,
    users: ofAccount,
    'experiences.unconnected': [],
    'subscriptions.create': destinationUrl && [{ destinationUrl, types: eventTypes }],
    'portal.users.create': ofAccount,
    'portal.connections.create': ofPair,
    'platform.users.create': ofAccount,
    'platform.connections.create': ofPair,
    'platform.accounts.create': [],
    'platform.numbers.create': ofAccount,
  };
}

/**
 * Calls each hook in `listTrialArguments` once, and undoes the effect.
 * @param consumeFault sends the one request that fails after a `fault.*` hook, so that later requests succeed
 * @throws TargetError if a hook fails
 */
export async function tryHooks(
  hooks: HookSettings,
  { profile, receiver: address, timeoutMs }: Pick<TargetSettings, 'profile' | 'receiver' | 'timeoutMs'>,
  consumeFault: () => Promise<unknown>,
): Promise<void> {
  const calls = createHookCalls(hooks, timeoutMs);
  // When a hook creates a subscription, the target may send a request to its destinationUrl.
  const receiver = address && (await startReceiver(address));
  const trialArguments = listTrialArguments(profile, receiver?.openMailbox().url);
  try {
    for (const hook of HOOK_NAMES.filter(calls.has)) {
      const args = trialArguments[hook];
      if (!args || (/^(portal|platform)\./.test(hook) && !profile.allow?.write)) continue;
      const created = await calls.call(hook, ...args);
      const undo = (hook.endsWith('.create') ? hook.replace(/create$/, 'remove') : `${hook}.release`) as HookName;
      if (hook.startsWith('fault.')) await consumeFault();
      else if (calls.has(undo)) await calls.call(undo, created);
    }
  } catch (error) {
    throw error instanceof HookError ? new TargetError(error.message) : error;
  } finally {
    await receiver?.close();
  }
}
