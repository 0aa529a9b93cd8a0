import type { Providers } from './arrangement.ts';
import type { PlatformUsers } from './capabilities.ts';
import type { Cleanup } from './cleanup.ts';
import type { HookCalls } from './hook-calls.ts';
import { type Asked, HOOKS } from './hooks.ts';
import { UNKNOWN_TARGETS } from './sample-values.ts';

/** Hooks that hand something out, and those that are told when it is not needed any more. */
const RELEASES = {
  numbers: 'numbers.release',
  users: 'users.release',
  'experiences.unconnected': 'experiences.unconnected.release',
} as const;

/** What hooks give. What they made or handed out is removed or released at the end. */
export function hookProviders(hooks: HookCalls, cleanup: Cleanup): Providers {
  function taken<H extends keyof typeof RELEASES>(hook: H, asked: Asked<H>): Promise<string> {
    const release = RELEASES[hook];
    return cleanup.create(
      () => hooks.ask(hook, asked),
      async (value) => {
        if (hooks.has(release)) await hooks.ask(release, { [HOOKS[hook]]: value } as Asked<typeof release>);
      },
      (value) => `${value}, which the hook ${hook} gave`,
    );
  }
  const ofAccount: Providers = {
    'number.any': async ({ need, has }) => (has('account') ? (await need('numbers'))() : UNKNOWN_TARGETS.PHONE_NUMBER()),
    'user.any': async ({ need, has }) => (has('account') ? (await need('users'))() : UNKNOWN_TARGETS.USER()),
    numbers: async ({ need }) => {
      const accountId = await need('account');
      return () => taken('numbers', { accountId });
    },
    users: async ({ need }) => {
      const accountId = await need('account');
      return () => taken('users', { accountId });
    },
  };
  return {
    ...(hooks.has('token.expired') && { 'token.expired': () => hooks.ask('token.expired', {}) }),
    ...(hooks.has('fault.users') && {
      'fault.users': () => async (operation, status) => void (await hooks.ask('fault.users', { operation, status })),
    }),
    ...(hooks.has('platform.users.create') && { 'platform.users': () => platformUsers(hooks, cleanup) }),
    ...(hooks.has('numbers') && { numbers: ofAccount.numbers, 'number.any': ofAccount['number.any'] }),
    ...(hooks.has('users') && { users: ofAccount.users, 'user.any': ofAccount['user.any'] }),
    ...(hooks.has('experiences.unconnected') && { 'experiences.unconnected': () => () => taken('experiences.unconnected', {}) }),
  } as Providers;
}

function platformUsers(hooks: HookCalls, cleanup: Cleanup): PlatformUsers {
  const present = new Set<string>();
  const remove = async (userId: string) => {
    await hooks.ask('platform.users.remove', { userId });
    present.delete(userId);
  };
  return {
    create: (accountId, names = {}) =>
      cleanup.create(
        async () => {
          const userId = await hooks.ask('platform.users.create', { accountId, ...names });
          present.add(userId);
          return userId;
        },
        async (userId) => {
          if (present.has(userId)) await remove(userId);
        },
        (userId) => `user ${userId}`,
      ),
    rename: async (userId, firstName) => void (await hooks.ask('platform.users.rename', { userId, firstName })),
    remove,
  };
}
