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
  const call =
    (hook: HookName) =>
    (...args: readonly unknown[]) =>
      hooks.call(hook, ...args);

  function reserve(hook: (typeof RESERVING_HOOKS)[number], ...args: readonly string[]): Promise<string> {
    const create = () => (hook === 'experiences.unconnected' ? reserveExperience() : hooks.call(hook, ...args));
    if (!hooks.has(`${hook}.release`)) return create();
    return cleanup.createAndTrack(
      create,
      (value) => hooks.call(`${hook}.release`, value),
      (value) => `${value}, which the hook ${hook} returned`,
    );
  }

  async function reserveExperience(): Promise<string> {
    const { experienceId = '', name, providerId } = await hooks.callForResponse('experiences.unconnected');
    if (name !== undefined && providerId !== undefined) facts.set(experienceId.toLowerCase(), { name, providerId });
    return experienceId;
  }

  const providers: Record<string, (arrangement: Arrangement) => unknown> = {};
  for (const hook of RESERVING_HOOKS.filter(hooks.has)) {
    providers[hook] = async ({ need }) => {
      const args = hook === 'experiences.unconnected' ? [] : [await need('account')];
      return () => reserve(hook, ...args);
    };
  }
  for (const [capability, source] of Object.entries(PROFILE_SOURCES)) {
    if (typeof source === 'string' || !('hooks' in source)) continue;
    const names = source.hooks.filter((action) => action !== '').map((action) => [action, `${capability}.${action}` as HookName] as const);
    // Require the hooks for all actions, because a check must be able to remove an entity that it creates.
    if (names.length === 0 || !names.every(([, hook]) => hooks.has(hook))) continue;
    providers[capability] = () => Object.fromEntries(names.map(([action, hook]) => [action, call(hook)]));
  }
  if (hooks.has('token.expired')) providers['token.expired'] = () => hooks.call('token.expired');
  if (hooks.has('experiences.unconnected'))
    providers['experience.facts'] = async (arrangement) => {
      const factsOfProfile = await profileProviders['experience.facts']?.(arrangement);
      return async (experienceId: string) =>
        facts.get(experienceId.toLowerCase()) ?? factsOfProfile?.(experienceId) ?? endWithoutCapabilities('experience.facts');
    };
  for (const fault of ['fault.users', 'fault.authorization'] as const)
    if (hooks.has(fault))
      providers[fault] =
        () =>
        async (...args: Parameters<ReturnType<typeof call>>) =>
          void (await call(fault)(...args));
  return providers as Providers;
}
