import { PROFILE_SOURCES } from '../../src/report/profile-members.ts';
import type { Arrangement, Providers } from './arrangement.ts';
import { endWithoutCapabilities } from './check-report.ts';
import type { Cleanup } from './cleanup.ts';
import type { HookCalls } from './hook-calls.ts';
import type { HookName } from './hooks.ts';

/** Hooks that reserve an entity for a check. The hook with the same name and the suffix `.release` releases the entity at the end. */
const RESERVING_HOOKS = ['numbers', 'users', 'experiences.unconnected'] as const;

export function createHookCapabilities(hooks: HookCalls, cleanup: Cleanup, profileProviders: Providers = {}): Providers {
  const facts = new Map<string, { readonly name: string; readonly providerId: string }>();

  async function reserveExperience(): Promise<string> {
    const { experienceId = '', name, providerId } = await hooks.callForResponse('experiences.unconnected');
    if (name !== undefined && providerId !== undefined) facts.set(experienceId.toLowerCase(), { name, providerId });
    return experienceId;
  }

  const providers: Record<string, (arrangement: Arrangement) => unknown> = {};
  for (const hook of RESERVING_HOOKS.filter(hooks.has))
    providers[hook] = async ({ need }) => {
      const accountId = hook === 'experiences.unconnected' ? undefined : await need('account');
      const reserve = accountId === undefined ? reserveExperience : () => hooks.call(hook, accountId);
      if (!hooks.has(`${hook}.release`)) return reserve;
      const release = (value: string) => hooks.call(`${hook}.release`, value);
      return () => cleanup.createAndTrack(reserve, release, (value) => `${value}, which the hook ${hook} returned`);
    };
  for (const [capability, source] of Object.entries(PROFILE_SOURCES)) {
    if (typeof source === 'string' || !('hooks' in source)) continue;
    const names = source.hooks.filter((action) => action !== '').map((action) => [action, `${capability}.${action}` as HookName] as const);
    // Require the hooks for all actions, because a check must be able to remove an entity that it creates.
    if (names.length === 0 || !names.every(([, hook]) => hooks.has(hook))) continue;
    const actions = names.map(([action, hook]) => [action, (...args: readonly unknown[]) => hooks.call(hook, ...args)]);
    providers[capability] = () => Object.fromEntries(actions);
  }
  if (hooks.has('token.expired')) providers['token.expired'] = () => hooks.call('token.expired');
  if (hooks.has('experiences.unconnected'))
    providers['experience.facts'] = async (arrangement) => {
      const factsOfProfile = await profileProviders['experience.facts']?.(arrangement);
      return async (experienceId: string) =>
        facts.get(experienceId.toLowerCase()) ?? factsOfProfile?.(experienceId) ?? endWithoutCapabilities('experience.facts');
    };
  for (const fault of (['fault.users', 'fault.authorization'] as const).filter(hooks.has))
    providers[fault] =
      () =>
      async (...args: readonly unknown[]) =>
        void (await hooks.call(fault, ...args));
  return providers as Providers;
}
