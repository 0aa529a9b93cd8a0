import { eventTypes } from '../../src/contract/generated/events.ts';
import type { Profile } from '../../src/contract/generated/profile.ts';
import { startReceiver } from '../actors/receiver.ts';
import type { Pair } from '../target/capabilities.ts';
import { createHookCalls, HookError } from '../target/hook-calls.ts';
import { HOOK_NAMES, type HookName, type HookSettings } from '../target/hooks.ts';
import type { TargetSettings } from '../target/target-settings.ts';
import { TargetError } from './target-error.ts';

/** If an argument has no value, the hook is not called. */
interface TrialValues {
  readonly account?: string | undefined;
  readonly pair?: Pair | undefined;
  readonly destinationUrl?: string | undefined;
}

const createNoArguments = () => [];
const createAccountArgument = ({ account }: TrialValues) => account && [account];
const createPairArgument = ({ pair }: TrialValues) => pair && [pair];

/** Hooks that may need another hook's result are absent. */
const TRIAL_ARGUMENTS: { readonly [Hook in HookName]?: (available: TrialValues) => readonly unknown[] | '' | undefined } = {
  'fault.users': ({ account }) => account && ['getUsers', 429, { accountId: account }],
  'fault.authorization': ({ account }) => account && ['getUsers', { accountId: account }],
  'token.expired': createNoArguments,
  numbers: createAccountArgument,
  users: createAccountArgument,
  'experiences.unconnected': createNoArguments,
  'subscriptions.create': ({ destinationUrl }) => destinationUrl && [{ destinationUrl, types: eventTypes }],
  'portal.users.create': createAccountArgument,
  'portal.connections.create': createPairArgument,
  'platform.users.create': createAccountArgument,
  'platform.connections.create': createPairArgument,
  'platform.accounts.create': createNoArguments,
  'platform.numbers.create': createAccountArgument,
};

/**
 * Calls each hook in TRIAL_ARGUMENTS once, and undoes the effect.
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
  const available = { ...collectTrialValues(profile), destinationUrl: receiver?.openMailbox().url };
  try {
    for (const hook of HOOK_NAMES.filter(calls.has)) {
      const args = TRIAL_ARGUMENTS[hook]?.(available);
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

function collectTrialValues({ accounts = {}, experiences = {} }: Profile): TrialValues {
  const { unconnected: [unconnected] = [] } = experiences;
  return {
    account: accounts.main,
    pair: accounts.second && unconnected ? { accountId: accounts.second, experienceId: unconnected } : undefined,
  };
}
